import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'chai'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Findings {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
}

/** Returns axe's findings for the page, except for the parts `but`, a line each. */
export async function axeFindings(page: Page, but: string[] = []): Promise<string[]> {
  // Through the debugger, since the page's content security policy forbids other scripts.
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

/** Runs in the page: waits for the colour transitions. Those in closed <details> stand still. */
const TRANSITIONS_END = `Promise.allSettled(document.getAnimations()
  .filter(one => one instanceof CSSTransition && one.effect.target.checkVisibility())
  .map(one => one.finished)).then(() => undefined)`

/** Expects no findings on the current screen in either theme. Nothing moves while axe runs. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-theme=${theme}]`).waitFor()
    await page.evaluate(TRANSITIONS_END)
    expect(await axeFindings(page), theme).to.deep.equal([])
  }
}
