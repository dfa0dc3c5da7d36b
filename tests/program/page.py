"""Reads a page as a browser would and prints its structure as JSON."""

import base64
import hashlib
import json
import sys
from html.parser import HTMLParser


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.elements = {}
        self.attributes = set()
        self.values = []
        self.links = []
        self.ids = []
        self.blocks = []
        self.policy = None
        self.where = None
        self.block = None
        self.text = {}

    def handle_starttag(self, tag, attributes):
        self.elements[tag] = self.elements.get(tag, 0) + 1
        given = dict(attributes)
        self.attributes.update(given)
        self.values += [value for value in given.values() if value]
        self.links += [given["href"]] if tag == "a" and "href" in given else []
        self.ids += [given["id"]] if "id" in given else []
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        if tag in ("style", "script"):
            self.block = [tag, given.get("type"), ""]
        if given.get("id") == "slider":
            self.text["turn"] = given["value"]
        if given.get("id") == "result" or tag == "noscript":
            self.where = given.get("id", tag)
            self.text[self.where] = ""

    def handle_endtag(self, tag):
        if tag in ("style", "script"):
            self.blocks.append(self.block)
            self.block = None
        if tag in ("header", "noscript"):
            self.where = None

    def handle_data(self, data):
        if self.block:
            self.block[2] += data
        elif self.where in self.text:
            self.text[self.where] += data


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


page = Page()
page.feed(open(sys.argv[1], encoding="utf-8").read())
page.close()
print(json.dumps({
    "elements": page.elements,
    "attributes": sorted(page.attributes),
    "addresses": [value for value in page.values if "//" in value or "javascript:" in value],
    "links": page.links,
    "ids": page.ids,
    "policy": page.policy,
    "styles": [digest(text) for tag, kind, text in page.blocks if tag == "style"],
    "scripts": [digest(text) for tag, kind, text in page.blocks if tag == "script" and kind is None],
    "data": [text for tag, kind, text in page.blocks if kind == "application/json"],
    "text": page.text,
}))
