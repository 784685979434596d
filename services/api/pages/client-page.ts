import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '#shared/kernel/config.ts'
import { type Html, html } from './html.ts'

const FILE = join(ROOT, 'web/dist/index.html')
const MARK = '<!-- bothy:head -->'

let known: { mtimeMs: number; before: string; after: string } | undefined

/** The client's page, as it was built, with what it must know from the start in its head. */
export async function clientPage(head: Html): Promise<string> {
  try {
    // A build may replace it at any time; one look at the file a page is nothing.
    const { mtimeMs } = await stat(FILE)
    if (known?.mtimeMs !== mtimeMs) known = { mtimeMs, ...halves(await readFile(FILE, 'utf8')) }
    return known.before + head.text + known.after
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT') throw err
    return notBuilt(head).text
  }
}

function halves(page: string) {
  const [before, after] = page.split(MARK)
  if (before === undefined || after === undefined) throw new Error(`${FILE} has no “${MARK}”`)
  return { before, after }
}

const notBuilt = (head: Html) => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>bothy</title>${head}</head>
<body><p>The client is not built yet: npm run build.</p></body>
</html>
`
