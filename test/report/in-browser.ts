/** Expressions that are run in the browser: as text, since its types would make every global of it one of ours. */

export const openFolds = `document.querySelectorAll('details').forEach((fold) => { fold.open = true; })`;

/** Links that lead nowhere, and ids that are there twice. */
export const brokenLinks = `(() => {
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  const targets = [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href').slice(1));
  return { missing: targets.filter((id) => !ids.includes(id)), twice: ids.length - new Set(ids).size };
})()`;

export const unnamedParts = `[...document.querySelectorAll('[role=img], [role=region], nav, section')].filter(
  (each) => !each.hasAttribute('aria-label') && !each.hasAttribute('aria-labelledby'),
).length`;

export const printedPage = `({
  page: getComputedStyle(document.body).backgroundColor,
  hidden: [...document.querySelectorAll('details li, details td')].filter((each) => !each.checkVisibility({ contentVisibilityAuto: true })).length,
  contents: getComputedStyle(document.querySelector('nav')).display,
})`;

/** Elements, handlers, links and styles that are not of our making. */
export const foreignParts = `(() => {
  const own = 'html head meta title style body a header p h1 h2 h3 h4 h5 svg g rect line text code nav ul li main section dl div dt dd table caption thead tbody tr th td span details summary figure figcaption strong del ins time footer'.split(' ');
  const all = [...document.querySelectorAll('*')];
  const tags = all.map(({ localName }) => localName).filter((tag) => !own.includes(tag));
  const handlers = all.flatMap(({ attributes }) => [...attributes].map(({ name }) => name)).filter((name) => name.startsWith('on'));
  const links = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href')).filter((href) => !href.startsWith('#'));
  const styles = [...document.querySelectorAll('[style]')].map((each) => each.getAttribute('style')).filter((style) => !/^(?:width|flex-grow):[\\d.]+%?$/.test(style));
  return [...tags, ...handlers, ...links, ...styles];
})()`;

/** Texts whose contrast with what is behind them is less than 4.5 to 1 (WCAG 2.2, 1.4.3). */
export const lowContrasts = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (color) => {
    const [r, g, b] = color.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    // A text in a drawing stands on the shape before it, if that is a part of a bar.
    const shape = element.classList.contains('on-stage') ? element.previousElementSibling : null;
    if (shape !== null) return rgb(getComputedStyle(shape).fill);
    for (let each = element; each !== null; each = each.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(each);
      const color = rgb(/(?:rgb|color)[^)]*\\)/.exec(backgroundImage)?.[0] ?? backgroundColor);
      if (color[3] > 250) return color;
    }
    return [255, 255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const low = [];
  for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
    const element = text.parentElement;
    if (text.textContent.trim() === '' || !element.checkVisibility()) continue;
    const [a, b] = [light(rgb(getComputedStyle(element).color)), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) low.push(contrast.toFixed(2) + ' ' + element.className + ' ' + text.textContent);
  }
  return low;
})()`;
