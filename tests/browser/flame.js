// Flame graphs in a real browser: node flame.js BROWSER FOLDER. test_browser.sh writes the pictures to FOLDER.
// Prints "ok    NAME" or "FAIL  NAME" for each test.
'use strict';
const fs = require('fs');
const { test, same, holds, address, folder, runAll } = require('./harness.js');

// Returns the visible frames as "name@x+width", in percent.
const frames = (page) => page.evaluate(() => Array.from(document.querySelectorAll('.f')).filter((f) => f.getClientRects().length &&
  f.style.display !== 'none' && f.closest('.view').style.display !== 'none').map((f) => f.querySelector('title').textContent.split('\n')[0] + '@' +
  Math.round(parseFloat(f.getAttribute('x'))) + '+' + Math.round(parseFloat(f.getAttribute('width')))));
const names = async (page) => (await frames(page)).map((f) => f.replace(/@[^@]*$/, ''));
const said = (page) => page.evaluate(() => document.querySelector('output').textContent);
const hits = (page) => page.evaluate(() => Array.from(document.querySelectorAll('.view .hit'), (f) => f.querySelector('title').textContent.split('\n')[0]));
const focused = (page) => page.evaluate(() => (document.activeElement.querySelector('title') || { textContent: document.activeElement.tagName })
  .textContent.split('\n')[0]);
const fragment = (page) => page.evaluate(() => location.hash);

async function click(page, name) {
  const box = await page.evaluate((wanted) => {
    const f = Array.from(document.querySelectorAll('.f')).find((g) => g.style.display !== 'none' && g.closest('.view').style.display !== 'none' &&
      g.querySelector('title').textContent.split('\n')[0] === wanted);
    const r = f.querySelector('rect').getBoundingClientRect();
    return { x: r.x + r.width / 2, y: r.y + r.height / 2 };
  }, name);
  await page.mouse.click(box.x, box.y);
}

const hostile = '</title><script>window.hacked=1</script>';
const all = ['all@0+100', 'main@0+100', `${hostile}@0+5`, 'other@5+15', 'work@20+80', 'inner@20+60', 'it@80+5'];
const zoomed = ['all@0+100', 'main@0+100', 'work@0+100', 'inner@0+75', 'it@75+6'];

test('frames are where their weights put them', 'plain.svg', async (page) => same(await frames(page), all));

test('a click zooms, reset goes back, and so does the way back', 'plain.svg', async (page) => {
  await click(page, 'work');
  same(await frames(page), zoomed);
  same(await fragment(page), '#z=4:work');
  await page.getByRole('button', { name: 'Reset zoom' }).click();
  same(await frames(page), all);
  same(await fragment(page), '');
  await click(page, 'inner');
  await click(page, 'work');
  same(await frames(page), zoomed);
  await page.goBack();
  same(await names(page), ['all', 'main', 'work', 'inner']);
});

test('zoom, search and case survive a reload and in a shared address', 'plain.svg', async (page, context) => {
  await click(page, 'work');
  await page.keyboard.press('/');
  await page.keyboard.type('INNER|^it$');
  await page.getByRole('checkbox', { name: 'Ignore case' }).check();
  const url = page.url();
  for (const other of [page, await context.newPage()]) {
    if (other === page) await page.reload();
    else await other.goto(url);
    same(await frames(other), zoomed);
    same(await hits(other), ['inner', 'it']);
    same(await said(other), 'matched 81.3 % of the zoomed frame in 2 frames');
    same(await other.evaluate(() => document.querySelector('input[type=search]').value), 'INNER|^it$');
  }
});

test('an address of another picture finds the frame by its name, and rubbish is harmless', 'plain.svg', async (page) => {
  await page.goto(address('plain.svg') + '#z=99:work');
  same(await frames(page), zoomed);
  for (const rubbish of ['z=77:nobody', 'z=-1', 'v=nowhere', 's=%E0%A4%A', 'z=%:&&==&i', 's=(']) {
    await page.goto('about:blank');
    await page.goto(address('plain.svg') + '#' + rubbish);
    same((await frames(page)).length, all.length, rubbish);
  }
});

test('search tells the part that matched, nested matches once', 'plain.svg', async (page) => {
  await page.keyboard.press('Control+f');
  await page.keyboard.type('work|inner|other');
  same(await said(page), 'matched 95.0 % in 3 frames');
  await page.keyboard.press('Escape');
  same([await hits(page), await said(page)], [[], 'all  100.00 %, 1,000 samples  self none']);
  await page.keyboard.press('/');
  await page.keyboard.type('(');
  same([await said(page), await page.getAttribute('input[type=search]', 'aria-invalid')], ['not a regular expression', 'true']);
  await page.keyboard.press('Backspace');
  same(await page.getAttribute('input[type=search]', 'aria-invalid'), null);
  await page.keyboard.type('o[rt]');
  same(await hits(page), ['other', 'work']);
  await page.keyboard.press('Enter');
  same(await focused(page), 'other');
  await page.keyboard.press('n');
  same(await focused(page), 'work');
});

test('keys reach everything', 'plain.svg', async (page) => {
  const way = [];
  for (let i = 0; i < 2 && way[way.length - 1] !== 'all'; i++) {
    await page.keyboard.press('Tab');
    way.push(await focused(page));
  }
  // The browser may focus the document itself first.
  same(way.slice(-1), ['all'], 'the way to the frames');
  await page.keyboard.press('Tab');
  // The focus skips a disabled button.
  same(await page.evaluate(() => document.activeElement.type), 'search');
  await page.keyboard.press('Shift+Tab');
  for (const [key, name] of [['ArrowUp', 'main'], ['ArrowUp', 'work'], ['ArrowLeft', 'other'], ['ArrowLeft', hostile], ['ArrowLeft', hostile],
    ['ArrowRight', 'other'], ['ArrowRight', 'work'], ['ArrowUp', 'inner'], ['ArrowDown', 'work'], ['Home', 'all'], ['ArrowUp', 'main'], ['ArrowUp', 'work']]) {
    await page.keyboard.press(key);
    same(await focused(page), name, key);
  }
  await page.keyboard.press('Enter');
  same(await frames(page), zoomed);
  same(await focused(page), 'work');
  holds(await page.evaluate(() => parseFloat(getComputedStyle(document.activeElement.querySelector('rect')).strokeWidth) >= 3), 'the focus is not seen');
  await page.keyboard.press('Escape');
  same(await frames(page), all);
});

test('assistive technology is told of a tree with levels, labels and controls', 'plain.svg', async (page) => {
  same(await page.evaluate(() => [document.querySelector('.frames').getAttribute('role'),
    Array.from(document.querySelectorAll('.f'), (f) => f.getAttribute('role') + f.getAttribute('aria-level')).join(' '),
    document.querySelectorAll('.f[tabindex="0"]').length, document.querySelector('output').getAttribute('aria-live')]),
  ['tree', 'treeitem1 treeitem2 treeitem3 treeitem3 treeitem3 treeitem4 treeitem4', 1, 'polite']);
  holds(await page.getByRole('searchbox', { name: 'Search names by a regular expression' }).isVisible(), 'no search field');
  holds(await page.getByRole('button', { name: 'Reset zoom' }).isDisabled(), 'reset has nothing to do');
  await click(page, 'inner');
  same(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'inner, 60.00 %, 600 samples, self 60.00 %, 600 samples');
});

test('what is pointed at is told', 'plain.svg', async (page) => {
  const box = await page.locator('.f').nth(5).locator('rect').boundingBox();
  await page.mouse.move(box.x + 20, box.y + 5);
  same(await said(page), 'inner  60.00 %, 600 samples  self 60.00 %, 600 samples');
});

for (const file of ['plain.svg', 'tall.svg']) test(`${file} is as wide as the window, and names fit their frames`, file, async (page) => {
  for (const width of [1200, 1500, 500]) {
    await page.setViewportSize({ width, height: 400 });
    await page.waitForFunction((w) => document.documentElement.getBoundingClientRect().width > w - 20, width);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const worst = await page.evaluate(() => Math.max(...Array.from(document.querySelectorAll('.f text'), (t) =>
      t.getComputedTextLength() + 3 - t.parentNode.querySelector('rect').getBoundingClientRect().width)));
    holds(worst <= 0.5, `a name is ${worst} pixels too long at ${width}`);
  }
});

test('a tall picture opens at its title, and the controls stay in sight', 'tall.svg', async (page) => {
  const inside = async (box) => box.y >= 0 && box.y + box.height <= 600;
  const root = page.locator('.f rect').first(), title = page.locator('.title');
  holds(await page.evaluate(() => document.documentElement.getBoundingClientRect().height > 2000), 'it is not tall');
  holds(await inside(await title.boundingBox()), 'the title is out of sight');
  await page.mouse.move(600, 300);
  await page.mouse.wheel(0, 5000);
  await page.waitForFunction(() => document.documentElement.getBoundingClientRect().bottom < 800);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  holds(await inside(await root.boundingBox()), 'the root is out of sight');
  holds(await inside(await page.getByRole('searchbox').boundingBox()), 'the search field stayed behind');
});

test('search tells what is too narrow to be searched', 'pruned.svg', async (page) => {
  await page.keyboard.press('/');
  await page.keyboard.type('drawn');
  same(await said(page), 'matched 12.0 % in 1 frame; 68.0 % is too narrow to be drawn, and not searched');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('crowd');
  // Frames above a matched frame count with it.
  same(await said(page), 'matched 68.0 % in 1 frame');
});

// Returns the lines of text that leave the picture.
const header = (page) => page.evaluate(() => Array.from(document.querySelectorAll('.title,.sub,.legend text,.view .head,.view .note'))
  .filter((t) => t.getClientRects().length).flatMap((t) => {
    const r = t.getBoundingClientRect();
    return r.left < 0 || r.right > document.documentElement.getBoundingClientRect().width + 1 ? [t.textContent] : [];
  }));
const overlaps = (page) => page.evaluate(() => {
  const boxes = Array.from(document.querySelectorAll('.title tspan,.sub tspan,.legend text,.view .head tspan,.bar')).filter((t) => t.getClientRects().length)
    .map((t) => ({ text: t.textContent, r: t.getBoundingClientRect() }));
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => a.r.left < b.r.right && b.r.left < a.r.right &&
    Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top) > 6).map((b) => `${a.text} / ${b.text}`));
});
for (const width of [420, 1280]) {
  for (const file of ['long.svg', 'pruned.svg', 'long-diff.svg']) {
    test(`nothing is clipped in ${file} at ${width} pixels`, file, async (page) => {
      same([await header(page), await overlaps(page)], [[], []]);
      holds((await page.evaluate(() => document.querySelector('.title').textContent)).length > 10, 'no title');
    }, { viewport: { width, height: 600 } });
  }
}

test('head, base and what vanished are reached by buttons and keys', 'diff.svg', async (page) => {
  same(await names(page), ['all', 'main', 'a', 'b', 'new']);
  await page.getByRole('button', { name: 'Base' }).click();
  same(await names(page), ['all', 'main', 'a', 'b', 'gone']);
  same(await page.getByRole('button', { name: 'Base' }).getAttribute('aria-pressed'), 'true');
  await page.keyboard.press('v');
  same(await frames(page), ['all@0+100', 'main@0+100', 'gone@0+100']);
  same(await fragment(page), '#v=vanished');
  await page.reload();
  same(await names(page), ['all', 'main', 'gone']);
  await page.keyboard.press('b');
  await click(page, 'a');
  await page.keyboard.press('h');
  same(await names(page), ['all', 'main', 'a']);
  same(await fragment(page), '#z=2:a');
});

test('both sides are named', 'diff.svg', async (page) => {
  const text = await page.evaluate(() => document.documentElement.textContent);
  for (const part of ['pr 7 against main', 'Head: pr 7', 'Base: main']) holds(text.includes(part), `no '${part}'`);
});

// Returns the least contrast between a name and its frame.
const contrast = (page) => page.evaluate(() => {
  const parse = (c) => c.match(/[0-9.]+/g).slice(0, 3).map(Number);
  const light = (c) => parse(c).map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  return Math.min(...Array.from(document.querySelectorAll('.f text'), (t) => {
    const a = light(getComputedStyle(t).fill), b = light(getComputedStyle(t.parentNode.querySelector('rect')).fill);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }));
});
const page0 = (page) => page.evaluate(() => getComputedStyle(document.querySelector('.page')).fill);

for (const colorScheme of ['light', 'dark']) {
  test(`names are readable when it is ${colorScheme}`, 'plain.svg', async (page) => {
    same(await page0(page), colorScheme === 'dark' ? 'rgb(18, 18, 18)' : 'rgb(255, 255, 255)');
    for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.svg'))) {
      await page.goto(address(file));
      const least = await contrast(page);
      holds(least >= 4.5, `${file}: contrast ${least}`);
      await page.goto(address(file) + '#s=.');
      await page.reload();
      const found = await contrast(page);
      holds(found >= 4.5, `${file}: contrast ${found} where a search matched`);
    }
  }, { colorScheme });
}

test('it is readable without scripts', 'diff.svg', async (page) => {
  const text = await page.locator('.f text').allTextContents();
  for (const name of ['main', 'a', 'b', 'gone']) holds(text.includes(name), `'${name}' is not written`);
  const boxes = await page.locator('.view').evaluateAll((views) => views.map((v) => v.getBoundingClientRect()).map((r) => [r.top, r.bottom]));
  holds(boxes[0][1] <= boxes[1][0] && boxes[1][1] <= boxes[2][0], 'views lie on each other');
  same(await page.locator('.view .head').allTextContents(), ['Head: pr 7', 'Base: main', 'Vanished: of main, what pr 7 has no sample of']
    .map((t, i) => i < 2 ? t : t + ', 10.00 %'));
}, { javaScriptEnabled: false });

runAll();
