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

  const keptDrafts = ({ page } = ada) =>
    page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('bothy draft')))

  /** Then the drafts of other devices are read, for which signing out waits three seconds at most. */
  async function draftIsStored({ page, composer }: SignedIn, text: string) {
    const stored = page.waitForResponse(response => response.request().method() === 'PUT')
    await composer.fill(text)
    await stored
  }

  /** From now on the composer never sees a pause of the keys. */
  const ignorePauses = ({ page }: SignedIn) =>
    page.evaluate(() => {
      const setTimer = window.setTimeout as (run: () => void, delay?: number) => number
      Object.assign(window, {
        setTimeout: (run: () => void, delay?: number) => (delay === 300 ? 0 : setTimer(run, delay)),
      })
    })

  /** Effects of what has arrived follow the next frame. */
  const drawn = ({ page }: SignedIn) =>
    page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))))

  async function signOut({ page } = ada) {
    await page.getByRole('button', { name: 'Status and sign out' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/login*')
  }

  async function signIn() {
    await ada.page.locator('input[name=username]').fill('ada')
    await ada.page.locator('input[name=password]').fill(PASSWORD)
    await ada.page.getByRole('button', { name: 'Sign in' }).click()
    await shown(ada.composer)
  }

  it('takes the drafts that the server has from the browser, and sends the last one first', async () => {
    await draftIsStored(ada, 'the plan')
    await ada.composer.fill('the plan that nobody else may read')
    await signOut()
    expect(await keptDrafts()).to.deep.equal([])
    await signIn()
    await eventually(async () =>
      expect(await ada.composer.inputValue()).to.equal('the plan that nobody else may read'),
    )
  })

  it('takes what was typed a moment before', async () => {
    const bob = await stack.signedIn('bob')
    await draftIsStored(bob, 'the plan')
    await ignorePauses(bob)
    const sent = bob.page.waitForRequest(request => request.method() === 'PUT')
    await bob.composer.fill('the plan of a moment ago')
    await signOut(bob)
    expect((await sent).postDataJSON()).to.include({ text: 'the plan of a moment ago' })
    expect(await keptDrafts(bob)).to.deep.equal([])
    await bob.leave()
  })

  it('takes what was typed before the drafts of other devices were read', async () => {
    const eva = await stack.signedIn('eva')
    await draftIsStored(eva, 'the plan of the bank')
    const answers: (() => void)[] = []
    await eva.page.route('**/drafts', async route => {
      await new Promise<void>(resolve => answers.push(resolve))
      await route.continue()
    })
    await eva.page.evaluate(() => localStorage.clear())
    await eva.page.reload()
    await shown(eva.composer)
    await ignorePauses(eva)
    await eva.composer.fill('the plan since')
    const sent = eva.page.waitForRequest(request => request.method() === 'PUT')
    await eva.page.getByRole('button', { name: 'Status and sign out' }).click()
    await eventually(() => expect(answers).not.to.deep.equal([]))
    const read = eva.page.waitForResponse('**/drafts')
    for (const answer of answers) answer()
    await read
    await eventually(async () => expect(await keptDrafts(eva)).not.to.deep.equal([]))
    await drawn(eva)
    await eva.page.getByRole('menuitem', { name: 'Sign out' }).click()
    expect((await sent).postDataJSON()).to.include({ text: 'the plan since' })
    await eva.leave()
  })

  it('takes them too when the session ends elsewhere', async () => {
    await draftIsStored(ada, 'the plan of the bank')
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
