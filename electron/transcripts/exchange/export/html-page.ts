import { createHash } from 'node:crypto';
import { visibleLine } from '../../../../shared/terminal/visible-text.ts';
import { playedLines } from './cast-lines.ts';
import type { Exported } from './exported.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';
import type { PlayerFiles } from './player-files.ts';

/**
 * One page that plays a recording in any browser and asks nothing of any network: its policy names the two scripts in it by
 * their digests and allows no address at all. The recording is data between them; nothing in it can end its element.
 */
export function* htmlPage(exported: Exported, player: PlayerFiles): Generator<string> {
  yield head(exported, player);
  // Inside the strings of JSON, and nowhere else in these lines, `<` may be written so.
  for (const line of playedLines(exported)) yield line.replaceAll('<', '\\u003c');
  yield foot(exported, player);
}

const TITLE_MAX_CHARS = 200;

function head({ header }: Exported, player: PlayerFiles): string {
  const title = escapeHtml(visibleLine(header.title ?? 'Recording', TITLE_MAX_CHARS));
  const policy = [
    "default-src 'none'",
    `script-src ${digest(player.script)} ${digest(PAGE_SCRIPT)} 'wasm-unsafe-eval'`,
    // The player sets the colours and sizes of its cells.
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${player.style}</style>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="facts">${facts(header)}</p>
<div id="player" style="--columns: ${header.term.cols}"></div>
<p id="failed" role="alert" hidden></p>
<noscript><p>This page plays a recording of a terminal, which needs JavaScript. It loads nothing from anywhere.</p></noscript>
<section id="moments" aria-labelledby="moments-title" hidden>
<h2 id="moments-title">Moments</h2>
<ol></ol>
</section>
<script id="recording" type="application/x-asciicast">
`;
}

function foot({ removals: { count } }: Exported, player: PlayerFiles): string {
  const removed = `${count === 1 ? '1 text was' : `${count} texts were`} removed from this copy: █ stands for each column.`;
  return `</script>
${count === 0 ? '' : `<p>${removed}</p>\n`}<details>
<summary>About this page</summary>
<p>Made by Airlock. It plays with asciinema-player by Marcin Kulik and contributors, under this licence:</p>
<pre>${escapeHtml(player.licence)}</pre>
</details>
</main>
<script>${player.script}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function facts({ timestamp, term }: Exported['header']): string {
  const size = `${term.cols} × ${term.rows}`;
  const date = new Date((timestamp ?? Number.NaN) * 1_000);
  if (Number.isNaN(date.getTime())) return size;
  const iso = date.toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time> · ${size}`;
}

function digest(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.toWellFormed().replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
