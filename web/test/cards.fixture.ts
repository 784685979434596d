import type { Locator } from 'playwright-core'
import { eventually } from '#shared/test-kit/eventually.ts'

export const cardIn = (row: Locator) => row.locator('.card')

/** Cards load only for messages on the screen. */
export async function cardSeenIn(row: Locator) {
  await row.waitFor()
  // After a reload the list may still be rendering.
  await eventually(() => row.scrollIntoViewIfNeeded({ timeout: 1_000 }))
  await cardIn(row).waitFor()
  return cardIn(row)
}
