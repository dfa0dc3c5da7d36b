//! Screenshots in light and dark.

use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;
use serde_json::json;

use super::chromium::Chromium;
use crate::harness::ROOT;

/// Keeps a picture of the page, and returns it as Base64.
pub(super) fn screenshot(browser: &mut Chromium, name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("browser");
    fs::create_dir_all(&folder).unwrap();
    let shot = browser.call("Page.captureScreenshot", json!({"format": "png"}));
    let data = shot["data"].as_str().unwrap().to_owned();
    fs::write(
        folder.join(format!("{name}.png")),
        BASE64.decode(data.as_bytes()).unwrap(),
    )
    .unwrap();
    data
}

/// Columns and rows of a small picture, a hexadecimal digit for the brightness of each part.
const SMALL: (usize, usize) = (48, 30);

/// A screenshot so small that fonts do not count.
fn small(browser: &mut Chromium, data: &str) -> String {
    browser.value("document.documentElement.innerHTML = ''");
    let (columns, rows) = SMALL;
    browser.text(&format!(
        "(async () => {{ const image = new Image(); image.src = 'data:image/png;base64,{data}'; await image.decode(); \
         const canvas = document.createElement('canvas'); [canvas.width, canvas.height] = [{columns}, {rows}]; \
         const context = canvas.getContext('2d'); context.imageSmoothingQuality = 'high'; \
         context.drawImage(image, 0, 0, {columns}, {rows}); \
         const {{data}} = context.getImageData(0, 0, {columns}, {rows}); \
         return Array.from({{length: {rows}}}, (_, row) => Array.from({{length: {columns}}}, (_, column) => {{ \
           const at = 4 * (row * {columns} + column); \
           return (data[at] + data[at + 1] + data[at + 2] >> 4) / 3 | 0; \
         }}).map((level) => level.toString(16)).join('')).join('\\n') + '\\n'; }})()"
    ))
}

/// The share of parts whose brightness differs by more than two of sixteen levels, in percent.
fn difference(one: &str, other: &str) -> usize {
    let level = |digit: char| digit.to_digit(16).unwrap_or(16);
    let pairs = one.chars().zip(other.chars());
    let differ = pairs.filter(|&(one, other)| level(one).abs_diff(level(other)) > 2);
    differ.count() * 100 / one.len().max(1)
}

pub(super) fn themes(browser: &mut Chromium, file: &Path) {
    let size = json!({"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": false});
    browser.call("Emulation.setDeviceMetricsOverride", size);
    let mut seen = Vec::new();
    for theme in ["light", "dark"] {
        let feature = json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
        browser.call("Emulation.setEmulatedMedia", feature);
        browser.open(file, "#100");
        let data = screenshot(browser, theme);
        assert_eq!(browser.troubles(), [""; 0]);
        browser.open(Path::new("/dev/null"), "");
        let picture = small(browser, &data);
        let kept = format!("{ROOT}/snapshots/browser/{theme}.areas");
        if std::env::var_os("URTEXT_BLESS_PICTURE").is_some() {
            fs::write(&kept, &picture).unwrap();
        }
        let wanted = fs::read_to_string(&kept).unwrap();
        let differs = difference(&wanted, &picture);
        assert!(
            wanted.len() == picture.len() && differs < 10,
            "{theme}: {differs} % of\n{}",
            picture
        );
        seen.push(picture);
        browser.troubles();
    }
    assert!(difference(&seen[0], &seen[1]) > 60, "light and dark differ");
}
