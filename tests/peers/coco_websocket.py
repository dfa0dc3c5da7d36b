"""A WebSocket connection (RFC 6455) over asyncio streams, from either side, as far as Code Colosseum needs it."""

import asyncio
import base64
import hashlib
import os
import struct

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
LARGEST = 1 << 20


class Gone(Exception):
    """The other side has left, or says what no WebSocket says."""


def masked(payload, mask):
    """The payload with the mask of a client applied or taken away."""
    return bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


def frame(opcode, payload=b"", final=True, mask=None):
    """One frame. The frames of a client have a mask of four bytes, those of a server have none."""
    size = len(payload)
    head = bytes([opcode | (0x80 if final else 0)])
    bit = 0
    if mask is not None:
        bit, payload = 0x80, mask + masked(payload, mask)
    if size < 126:
        return head + bytes([bit | size]) + payload
    if size < 1 << 16:
        return head + bytes([bit | 126]) + struct.pack(">H", size) + payload
    return head + bytes([bit | 127]) + struct.pack(">Q", size) + payload


def proof(key):
    """The server's answer to the key in the opening handshake of a client."""
    return base64.b64encode(hashlib.sha1(key + GUID).digest())


class Connection:
    """One connection after the opening handshake."""

    def __init__(self, reader, writer, is_client=False):
        self.reader = reader
        self.writer = writer
        self.is_client = is_client
        self.pongs = 0

    @classmethod
    async def open(cls, host, port):
        """Connects to a server and shakes hands."""
        reader, writer = await asyncio.open_connection(host, port)
        key = base64.b64encode(os.urandom(16))
        writer.write(
            b"GET / HTTP/1.1\r\nHost: %b:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %b\r\n\r\n" % (host.encode(), port, key)
        )
        head = await read_head(reader)
        if not head.startswith(b"HTTP/1.1 101 ") or proof(key) not in head:
            raise Gone
        return cls(reader, writer, is_client=True)

    @classmethod
    async def accept(cls, reader, writer):
        """Answers the opening handshake."""
        head = await read_head(reader)
        lines = head.split(b"\r\n")
        fields = dict(line.split(b":", 1) for line in lines[1:] if b":" in line)
        fields = {name.strip().lower(): value.strip() for name, value in fields.items()}
        key = fields.get(b"sec-websocket-key")
        if not lines[0].startswith(b"GET ") or key is None:
            raise Gone
        writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + proof(key) + b"\r\n\r\n"
        )
        return cls(reader, writer)

    async def receive(self):
        """The next message: its opcode and its bytes. Pings are answered, pongs counted."""
        kind, message = None, b""
        while True:
            final, opcode, payload = await self._frame()
            if opcode == PING:
                await self.send(PONG, payload)
            elif opcode == PONG:
                self.pongs += 1
            elif opcode == CLOSE:
                await self.send(CLOSE, payload)
                raise Gone
            else:
                kind = opcode if opcode != CONTINUATION else kind
                message += payload
                if len(message) > LARGEST:
                    raise Gone
                if final:
                    return kind, message

    async def _frame(self):
        try:
            first, second = await self.reader.readexactly(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack(">H", await self.reader.readexactly(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", await self.reader.readexactly(8))
            # "a client MUST mask all frames that it sends to the server", "A server MUST NOT mask any frames"
            if bool(second & 0x80) == self.is_client or size > LARGEST:
                raise Gone
            mask = bytes(4) if self.is_client else await self.reader.readexactly(4)
            payload = await self.reader.readexactly(size)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise Gone from None
        return bool(first & 0x80), first & 0x0F, masked(payload, mask)

    async def send(self, opcode, payload=b"", final=True):
        """Sends one frame; that nobody takes it any more shows when something is received."""
        await self.send_raw(frame(opcode, payload, final, os.urandom(4) if self.is_client else None))

    async def send_raw(self, data):
        """Sends bytes as they are."""
        if self.writer.is_closing():
            return
        try:
            self.writer.write(data)
            await self.writer.drain()
        except ConnectionError:
            pass

    def abort(self):
        """Drops the connection without a closing frame."""
        self.writer.close()


async def read_head(reader):
    """The head of an HTTP request."""
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
        raise Gone from None
