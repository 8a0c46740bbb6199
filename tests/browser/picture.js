// Draws pages as PNG files: node picture.js BROWSER PAGE PNG HEIGHT [PAGE PNG HEIGHT...]. Each is 1000 px wide and light; a
// page that is lower than HEIGHT px ends where it ends.
'use strict';
const path = require('path');
const { chromium } = require('playwright-core');
const { args } = require('./harness.js');

const [, , browserPath, ...rest] = process.argv;

async function draw(browser, from, to, height) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 100 }, colorScheme: 'light' });
  await page.goto('file://' + path.resolve(from), { timeout: 30000 });
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: 1000, height: Math.min(height, whole) });
  await page.screenshot({ path: to });
}

async function main() {
  const browser = await chromium.launch({ executablePath: browserPath, headless: true, args });
  for (let i = 0; i < rest.length; i += 3) await draw(browser, rest[i], rest[i + 1], Number(rest[i + 2]));
  await browser.close();
}

main().catch((e) => { console.error(e.message); process.exitCode = 1; });
