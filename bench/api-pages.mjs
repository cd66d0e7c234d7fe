// Answers lists of VClusterClaims in pages and takes their status, as an API server would: what is measured is the
// program that asks. usage: node api-pages.mjs RESOURCES.json; says its port on standard output.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const items = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const byName = new Map(items.map((item) => [item.metadata.name, item]));

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [, , group, version, plural = '', name = ''] = url.pathname.split('/');
  const answer = (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (url.pathname.includes('/configmaps/')) return response.writeHead(404).end('{}');
  if (request.method === 'PATCH') {
    const item = byName.get(name);
    item.status = JSON.parse(await text(request)).status;
    return answer(item);
  }
  const all = plural === 'vclusterclaims' ? items : [];
  const from = Number(url.searchParams.get('continue') ?? 0);
  const next = from + Number(url.searchParams.get('limit') ?? all.length);
  const metadata = { resourceVersion: '1', ...(next < all.length && { continue: String(next) }) };
  return answer({ apiVersion: `${group}/${version}`, kind: 'List', metadata, items: all.slice(from, next) });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
