import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { eventually } from './eventually.ts'

/** Waits until the first match is visible. */
export const shown = (locator: Locator) => locator.first().waitFor({ state: 'visible' })

/** Waits until there is no match, or the first is hidden. */
export const gone = (locator: Locator) => locator.first().waitFor({ state: 'hidden' })

/** Waits until the element of this CSS selector has the focus. */
export const focusIsOn = (page: Page, selector: string) =>
  eventually(async () => expect(await page.locator(`${selector}:focus`).count(), selector).to.equal(1))
