import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import { type Html, html } from './html.ts'

const FILE = join(ROOT, 'web/dist/index.html')
const MARK = '<!-- bothy:head -->'

interface Built {
  mtimeMs: number
  before: string
  after: string
  /** Address of the first script, which changes with every build. */
  script: string | null
}

let known: Built | undefined

/** The client's page as built, with its initial data in the head. */
export async function clientPage(head: Html): Promise<string> {
  const built = await builtClient()
  return built ? built.before + head.text + built.after : notBuilt(head).text
}

/** Identifies the client build that this server delivers; null before the first build. */
export async function clientBuild(): Promise<string | null> {
  return (await builtClient())?.script ?? null
}

async function builtClient(): Promise<Built | undefined> {
  try {
    // A build may replace the file at any time; one stat per page is cheap.
    const { mtimeMs } = await stat(FILE)
    if (known?.mtimeMs !== mtimeMs) known = { mtimeMs, ...partsOf(await readFile(FILE, 'utf8')) }
    return known
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT') throw err
    return undefined
  }
}

function partsOf(page: string) {
  const [before, after] = page.split(MARK)
  if (before === undefined || after === undefined) throw new Error(`${FILE} has no “${MARK}”`)
  return { before, after, script: /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1] ?? null }
}

const notBuilt = (head: Html) => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>bothy</title>${head}</head>
<body><p>The client is not built yet: npm run build.</p></body>
</html>
`
