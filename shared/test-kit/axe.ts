import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Findings {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
}

/** What axe has against the page as it stands, or against all but a part of it, one line each; empty is good. */
export async function axeFindings(page: Page, but: string[] = []): Promise<string[]> {
  // The page's policy allows no script of ours; what comes through the debugger is not asked.
  await page.evaluate(source)
  const { violations } = await page.evaluate(
    ([tags, exclude]) =>
      (globalThis as unknown as { axe: { run(on: object, options: object): Promise<Findings> } }).axe.run(
        { include: ['html'], exclude },
        { runOnly: tags, resultTypes: ['violations'] },
      ),
    [TAGS, but] as const,
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
