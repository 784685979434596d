import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { eventually } from './eventually.ts'

/** Waits until the first match is visible. */
export const shown = (locator: Locator) => locator.first().waitFor({ state: 'visible' })

/**
 * Shows the first view of a phone. Repeated, because a page that still believes to be wide leads from there to the last
 * channel.
 */
export async function showHomeOnPhone(page: Page) {
  await page.setViewportSize({ width: 390, height: 844 })
  await eventually(async () => {
    await page.goto('/#/')
    expect(await page.locator('.tab-bar').isVisible()).to.equal(true)
  })
}

/** Waits until there is no match, or the first is hidden. */
export const gone = (locator: Locator) => locator.first().waitFor({ state: 'hidden' })

/** Waits until the element of this CSS selector has the focus. */
export const focusIsOn = (page: Page, selector: string) =>
  eventually(async () => expect(await page.locator(`${selector}:focus`).count(), selector).to.equal(1))
