import type { Page } from 'playwright-core'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'

export const PAGES = [
  'Profile',
  'Appearance',
  'Notifications',
  'Calls and devices',
  'Keyboard',
  'Password',
  'Sessions',
  'Tokens',
  'Delete account',
] as const

/** The dialog Settings of a page. */
export function settingsOf(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Settings' })
  return {
    dialog,
    button: (name: string | RegExp) => dialog.getByRole('button', { name, exact: true }),
    pick: (group: string, choice: string) =>
      dialog.getByRole('radiogroup', { name: group }).getByText(choice, { exact: true }).click(),
    async open(name: (typeof PAGES)[number]) {
      if (!(await dialog.isVisible()))
        await page.locator('.sidebar-me').getByRole('button', { name: 'Settings', exact: true }).click()
      await page.locator('.settings-nav').getByRole('button', { name, exact: true }).click()
      await dialog.getByRole('heading', { name, level: 2 }).waitFor()
    },
    async close() {
      await dialog.locator('.settings-head').getByRole('button', { name: 'Close settings' }).click()
      await dialog.waitFor({ state: 'detached' })
    },
  }
}

export async function signIn(user: BrowserUser, password: string) {
  await user.page.goto('/login')
  await user.page.getByLabel('Username').fill(user.name)
  await user.page.locator('input[name=password]').fill(password)
  await user.page.locator('form .button-primary').click()
}
