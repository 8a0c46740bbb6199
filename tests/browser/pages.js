// report.html in a real browser: node pages.js BROWSER FOLDER. test_browser.sh writes a page of each kind to FOLDER.
'use strict';
const fs = require('fs');
const { test, same, holds, folder, runAll } = require('./harness.js');
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const pages = fs.readdirSync(folder).filter((name) => name.endsWith('.html'));
const open = (page) => page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));

// Returns axe's serious and critical violations, with all folds of the page open.
async function faults(page) {
  await open(page);
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 120)} ${v.nodes[0].failureSummary.replace(/\s+/g, ' ').slice(0, 160)}`);
}

// Returns the elements whose text overflows them or the window, and that cannot be scrolled.
const clipped = (page) => page.evaluate(() => Array.from(document.querySelectorAll('body *')).filter((e) => {
  const style = getComputedStyle(e), box = e.getBoundingClientRect();
  if (e.closest('svg, thead, .skip') || !box.width || style.overflowX === 'auto') return false;
  return box.right > innerWidth + 1 || (style.overflowX === 'hidden' && e.scrollWidth > e.clientWidth + 1);
}).map((e) => e.outerHTML.slice(0, 100)));

// Returns the visible names of flame graphs that end outside their frame.
const cut = (page) => page.evaluate(() => Array.from(document.querySelectorAll('.flame text')).filter((t) => t.getClientRects().length &&
  t.getBoundingClientRect().right > t.parentNode.querySelector('rect').getBoundingClientRect().right + 1).map((t) => t.textContent));

for (const file of pages) {
  for (const [width, colorScheme] of [[420, 'light'], [1280, 'dark']]) {
    test(`${file}: nothing serious for axe, nothing cut at ${width} px, ${colorScheme}`, file, async (page) => {
      same(await faults(page), []);
      same(await page.evaluate(() => document.documentElement.scrollWidth), width, 'width of the page');
      same(await clipped(page), [], 'cut');
      same(await cut(page), [], 'cut names');
    }, { viewport: { width, height: 840 }, colorScheme });
  }

  test(`${file}: three sizes of letters`, file, async (page) => {
    await open(page);
    const sizes = await page.evaluate(() => Array.from(document.querySelectorAll('body *')).filter((e) => e.getClientRects().length &&
      Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.textContent.trim())).map((e) => getComputedStyle(e).fontSize));
    same(new Set(sizes).size <= 3 || Array.from(new Set(sizes)), true, 'sizes');
  });

  test(`${file}: a pointer finds each dot of a chart, with its number and unit`, file, async (page) => {
    await open(page);
    const dots = await page.evaluate(() => Array.from(document.querySelectorAll('circle'), (c) => {
      const box = c.getBoundingClientRect(), title = c.querySelector('title').textContent;
      return { title, size: Math.round(box.width), empty: !/^\d/.test(title) };
    }));
    same(dots.filter((d) => d.size < 8 || d.empty), [], 'dots');
  });

  test(`${file}: runs and loads nothing, and links to itself and to files beside it`, file, async (page) => {
    same(await page.evaluate(() => document.querySelectorAll('script, link, img, iframe, object, embed, form').length), 0, 'elements that load');
    same(await page.evaluate(() => Array.from(document.querySelectorAll('a'), (a) => a.getAttribute('href'))
      .filter((to) => to[0] === '#' ? !document.getElementById(to.slice(1)) : !to.startsWith('./') && !to.startsWith('https://github.com/'))), [],
    'links');
    // The page's policy also blocks an injected script.
    await page.evaluate(() => { const s = document.createElement('script'); s.textContent = 'window.hacked = 1'; document.body.append(s); })
      .catch(() => {});
    same(await page.evaluate(() => window.hacked), undefined, 'a script ran');
    await page.evaluate(() => document.querySelector('script').remove());
  }, { quiet: true });

  test(`${file}: headings in order, sections named`, file, async (page) => {
    const levels = await page.evaluate(() => Array.from(document.querySelectorAll('h1,h2,h3,h4'), (h) => +h.tagName[1]));
    same(levels.filter((l) => l === 1).length, 1, 'first headings');
    levels.forEach((l, i) => holds(l <= (i ? levels[i - 1] : 0) + 1, `a heading of level ${l} follows one of ${levels[i - 1]}`));
  });

  test(`${file}: keys reach and open what folds, and show where they are`, file, async (page) => {
    const folds = await page.evaluate(() => document.querySelectorAll('summary').length), seen = new Set();
    await page.keyboard.press('Tab');
    holds(await page.evaluate(() => document.activeElement.matches('.skip') && document.activeElement.getBoundingClientRect().left >= 0),
      'the first stop is no link to what was found, or it is not seen');
    for (let i = 0; i < 300 && seen.size < folds; i++) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => {
        const e = document.activeElement;
        return e.tagName === 'SUMMARY' ? { n: Array.from(document.querySelectorAll('summary')).indexOf(e), open: e.parentNode.open,
          outline: parseFloat(getComputedStyle(e).outlineWidth) } : null;
      });
      if (!at || seen.has(at.n)) continue;
      seen.add(at.n);
      holds(at.outline >= 2, 'the focus is not seen');
      // Opened folds stay open, so that the keys reach the folds inside them too.
      if (!at.open) await page.keyboard.press('Enter');
      holds(await page.evaluate((n) => document.querySelectorAll('summary')[n].parentNode.open, at.n), 'Enter did not open it');
    }
    same(seen.size, folds, 'folds that keys reach');
  });

  test(`${file}: prints within the paper`, file, async (page) => {
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 1000 });
    same(await page.evaluate(() => document.documentElement.scrollWidth), 718, 'width');
    same(await clipped(page), [], 'cut');
    // On paper all folds must be open.
    same(await page.evaluate(() => Array.from(document.querySelectorAll('details'))
      .filter((d) => getComputedStyle(d, '::details-content').contentVisibility !== 'visible').length), 0, 'folds that stay closed');
    holds((await page.pdf({ format: 'A4' })).length > 4000, 'no PDF');
  });
}

// The first screen of a failed page on a phone has what a reader needs first.
for (const [file, parts] of [['caused.html', ['h1 .tag', '.cause', '.hunk', '.numbers']], ['regression.html', ['h1 .tag', '.numbers']]])
  test(`${file}: the first screen of a phone has verdict, cause, change and how much`, file, async (page) => {
    for (const part of parts) {
      const bottom = await page.evaluate((p) => document.querySelector(p).getBoundingClientRect().bottom, part);
      holds(bottom <= 840, `${part} ends at ${bottom}`);
    }
    const order = await page.evaluate(() => ['h1', '.hunk', '.numbers', '.cells', '.chart', '.command', '.machine'].map((p) => document.querySelector(p))
      .filter((e) => e).map((e) => e.getBoundingClientRect().top));
    same(order, order.slice().sort((a, b) => a - b), 'order');
  }, { viewport: { width: 420, height: 840 } });

test('merged.html: a deep flame graph shows 20 levels until asked', 'merged.html', async (page) => {
  const heights = () => page.evaluate(() => Array.from(document.querySelectorAll('.levels'), (e) => e.offsetHeight));
  await open(page);
  await page.evaluate(() => document.querySelectorAll('.deep').forEach((d) => { d.open = false; }));
  same(Math.max(...await heights()), 320, 'height');
  await page.locator('.deep summary').first().click();
  same(Math.max(...await heights()), 784, 'height of all levels');
});

test('merged.html: pictures of both shards', 'merged.html', async (page) => {
  same(await page.evaluate(() => document.querySelectorAll('svg.flame').length), 2, 'flame graphs');
  holds(await page.evaluate(() => Array.from(document.querySelectorAll('svg.flame title')).every((t) => t.textContent)), 'a frame without its numbers');
});

runAll();
