/** The page's only style, in the page itself: it asks nobody else for anything. Contrast is at least 4.5:1 (WCAG AA). */
export const style = `
:root {
  color-scheme: light dark;
  --page: #eef1f4; --card: #ffffff; --text: #1c2430; --quiet: #526070; --line: #d5dce3;
  --accent: #0b5c8a; --on-accent: #ffffff; --accent-strong: #084a70; --good: #1b6e3c; --good-card: #e8f5ec;
  --warn: #8a4b00; --warn-card: #fdf3e3; --shadow: 0 1px 2px rgb(20 30 40 / 8%), 0 8px 28px rgb(20 30 40 / 9%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11161c; --card: #1a212a; --text: #e8edf2; --quiet: #a8b5c2; --line: #34404d;
    --accent: #6cb6e0; --on-accent: #0c1720; --accent-strong: #8cc8ea; --good: #7fd49b; --good-card: #16291d;
    --warn: #f0b968; --warn-card: #2b2113; --shadow: none;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--page); color: var(--text); }
a { color: var(--accent); text-underline-offset: .18em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
header, footer { width: 100%; max-width: 44rem; margin: 0 auto; padding: 1rem 1.25rem; display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; font-size: .9375rem; color: var(--quiet); }
footer { flex-wrap: wrap; padding-bottom: 2rem; }
header a { display: inline-block; padding: .25rem 0; }
.brand { font-weight: 600; color: var(--text); overflow-wrap: anywhere; }
main { width: calc(100% - 1.5rem); max-width: 42.5rem; margin: 0 auto; padding: clamp(1.25rem, 4.5vw, 2.5rem); background: var(--card); border-radius: 14px; box-shadow: var(--shadow); }
h1 { margin: 0 0 .75rem; font-size: clamp(1.4rem, 4.6vw, 1.9rem); line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
p:last-child { margin-bottom: 0; }
.quiet { color: var(--quiet); font-size: .9375rem; }
dl { display: flex; flex-wrap: wrap; gap: .5rem 2.25rem; margin: 0 0 1.25rem; }
dl > div { min-width: 6rem; }
dt { color: var(--quiet); font-size: .875rem; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
table { width: 100%; margin: 0 0 1.5rem; border-collapse: collapse; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th, td { padding: .7rem .9rem .7rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { padding-top: 0; color: var(--quiet); font-size: .875rem; font-weight: 500; }
tbody th { font-weight: 500; }
td { font-variant-numeric: tabular-nums; }
td .time { display: block; color: var(--quiet); font-size: .875rem; font-weight: 400; }
.better { font-weight: 650; color: var(--good); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
form { margin: 0 0 1rem; }
button { width: 100%; min-height: 3.25rem; padding: .75rem 1.5rem; border: 0; border-radius: 9px; background: var(--accent); color: var(--on-accent); font: inherit; font-size: 1.0625rem; font-weight: 650; cursor: pointer; overflow-wrap: anywhere; }
button:hover { background: var(--accent-strong); }
@media (min-width: 36rem) { button { width: auto; } }
.mark { display: grid; place-items: center; width: 3rem; height: 3rem; margin: 0 0 1rem; border-radius: 50%; background: var(--good-card); color: var(--good); }
.mark.wait, .mark.stop { background: var(--warn-card); color: var(--warn); }
.mark svg { width: 1.6rem; height: 1.6rem; }
.note { padding: .8rem 1rem; border-radius: 9px; background: var(--warn-card); color: var(--text); border-left: 4px solid var(--warn); }
@media (max-width: 30rem) {
  .comparison thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .comparison tr { display: block; padding: .6rem 0; border-bottom: 1px solid var(--line); }
  .comparison th, .comparison td { display: block; padding: 0; border: 0; }
  .comparison td { display: flex; justify-content: space-between; gap: 1rem; padding-top: .2rem; }
  .comparison td::before { content: attr(data-label); color: var(--quiet); font-weight: 400; }
  .comparison td > span { text-align: right; }
}
@media (prefers-contrast: more) { :root { --quiet: var(--text); --line: var(--text); } }
@media (forced-colors: active) { button { border: 2px solid ButtonText; } main { border: 1px solid CanvasText; } }
`;
