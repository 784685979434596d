import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { shown } from '#shared/test-kit/visible.ts'

describe('signing out', function () {
  this.timeout(120_000)
  let stack: FullStack
  let ada: SignedIn

  before(async () => {
    stack = await startFullStack()
    ada = await stack.signedIn('ada')
  })
  after(() => stack?.close())

  const keptDrafts = () =>
    ada.page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('bothy draft')))

  async function signOut() {
    await ada.page.getByRole('button', { name: 'Status and sign out' }).click()
    await ada.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await ada.page.waitForURL('**/login*')
  }

  async function signIn() {
    await ada.page.locator('input[name=username]').fill('ada')
    await ada.page.locator('input[name=password]').fill(PASSWORD)
    await ada.page.getByRole('button', { name: 'Sign in' }).click()
    await shown(ada.composer)
  }

  it('takes the drafts that the server has from the browser, and sends the last one first', async () => {
    // The client signs out within three seconds, even if a busy machine has not read the drafts of other devices by then.
    const compared = ada.page.waitForResponse(response => new URL(response.url()).pathname === '/drafts')
    await ada.page.reload()
    await compared
    await ada.composer.fill('the plan that nobody else may read')
    await signOut()
    expect(await keptDrafts()).to.deep.equal([])
    await signIn()
    await eventually(async () =>
      expect(await ada.composer.inputValue()).to.equal('the plan that nobody else may read'),
    )
  })

  it('takes them too when the session ends elsewhere', async () => {
    const stored = ada.page.waitForResponse(response => response.request().method() === 'PUT')
    await ada.composer.fill('the plan of the bank')
    await stored
    await ada.page.request.get('/logout', { maxRedirects: 0 })
    await shown(ada.page.getByRole('dialog', { name: 'You were signed out' }))
    await eventually(async () => expect(await keptDrafts()).to.deep.equal([]))
    await ada.page.getByRole('link', { name: 'Sign in' }).click()
    await signIn()
  })

  it('leaves a draft that the server lacks for the next sign-in', async () => {
    await ada.page.route('**/drafts/**', route => route.abort())
    await ada.composer.fill('written without a connection')
    await signOut()
    expect((await keptDrafts()).map(([, text]) => text)).to.include('written without a connection')
  })
})
