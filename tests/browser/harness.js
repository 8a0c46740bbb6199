// Tests in a real browser: node TESTS.js BROWSER FOLDER. Each test opens a file of FOLDER, and prints "ok    NAME" or
// "FAIL  NAME". An error, a dialog or a request of a page is a fault.
'use strict';
const path = require('path');
const { chromium } = require('playwright-core');

const [, , browserPath, folder] = process.argv;
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
const tests = [];
let browser, failures = 0;

// OPTIONS are those of a browser context. With `quiet`, messages on the console are allowed.
function test(name, file, run, options) { tests.push({ name, file, run, options: options || {} }); }

function same(got, want, what) {
  if (JSON.stringify(got) !== JSON.stringify(want))
    throw new Error(`${what || 'value'}: ${JSON.stringify(got)}, expected ${JSON.stringify(want)}`);
}

function holds(value, what) { if (!value) throw new Error(what); }

const address = (file) => 'file://' + path.join(folder, file);

async function run(t) {
  const { quiet, ...options } = t.options;
  const context = await browser.newContext({ viewport: { width: 1200, height: 600 }, ...options });
  const faults = [];
  context.on('page', (page) => {
    page.on('pageerror', (e) => faults.push(e.message));
    page.on('console', (m) => { if (!quiet) faults.push(m.text()); });
    page.on('dialog', (d) => { faults.push('a dialog'); d.dismiss(); });
    page.on('request', (r) => { if (!/^(file|about|data):/.test(r.url())) faults.push('asks for ' + r.url()); });
  });
  const page = await context.newPage();
  page.setDefaultTimeout(5000);
  page.setDefaultNavigationTimeout(30000);
  try {
    await page.goto(address(t.file));
    await t.run(page, context);
    if (t.options.javaScriptEnabled !== false) same(await page.evaluate(() => window.hacked), undefined, 'a symbol ran');
    same(faults, [], 'faults');
    console.log(`ok    ${t.name}`);
  } catch (e) {
    failures++;
    console.log(`FAIL  ${t.name}\n      | ${String(e.message).split('\n').slice(0, 5).join('\n      | ')}`);
  }
  await context.close();
}

async function runAll() {
  browser = await chromium.launch({ executablePath: browserPath, headless: true, args });
  for (const t of tests) await run(t);
  await browser.close();
  process.exitCode = failures ? 1 : 0;
}

module.exports = { args, test, same, holds, address, folder, runAll };
