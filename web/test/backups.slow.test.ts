import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { makeDrillDatabase } from '#shared/test-kit/drill-database.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

/** In order: each test goes on where the one before ended. */
describe('the page of backups', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn
  let janitor: RunningService
  let folder: string
  let dropDrills: () => Promise<void>

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bothy-backups-page-'))
    // By an owner alone: no backup is made at night.
    stack = await startFullStack({ settings: { backup_hour: -1 } })
    dropDrills = await makeDrillDatabase(stack.backing.adminDatabaseUrl)
    janitor = await startService('janitor', { ...stack.backing.env, BACKUP_DIR: '' })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
    await ada.http.postJson('/confirm', { password: PASSWORD })
  })
  after(async () => {
    await janitor?.stop()
    rmSync(folder, { recursive: true, force: true })
    expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
    await stack?.close()
    await dropDrills?.()
  })

  const heading = () => ada.page.getByRole('heading', { level: 1, name: 'Backups' })
  const text = (words: string | RegExp) => ada.page.getByText(words)
  const open = async () => {
    await ada.page.goto('/#/admin/people')
    await ada.page.goto('/#/admin/backups')
    await shown(heading())
  }

  it('says why none is made, and does not ask for one', async () => {
    await eventually(async () => {
      await open()
      await shown(text('Set BACKUP_DIR to a folder'))
    }, 60_000)
    await shown(text('No backup was made yet.'))
    expect(await ada.button('Back up now').getAttribute('aria-disabled')).to.equal('true')
    await expectAccessible(ada.page)
  })

  it('makes one on request by keyboard, shows that it is being made, and then its proof', async () => {
    await janitor.stop()
    janitor = await startService('janitor', { ...stack.backing.env, BACKUP_DIR: folder })
    await open()
    await shown(text('No backup is proven by a restore yet'))
    await ada.button('Back up now').focus()
    await ada.page.keyboard.press('Enter')
    await shown(text('A backup is being made now.'))
    await expectAccessible(ada.page)
    await shown(text(/^Proven in \d+ s$/))
    await shown(text(/^A restore takes about \d+ s$/))
    await shown(text(/^[\d,]+ rows in \d+ tables$/))
    await gone(text('A backup is being made now.'))
    await expectAccessible(ada.page)
    expect(readdirSync(folder).filter(name => name.endsWith('Z'))).to.have.length(1)
  })

  it('names the migrations of a newer release that a restore needs', async () => {
    const db = new pg.Client(stack.backing.adminDatabaseUrl)
    await db.connect()
    await db.query(`update backups set report = report || '{"newer": ["9001_forecasts.sql"]}'`)
    await db.end()
    await open()
    await shown(
      text(/migrations of a newer release \(9001_forecasts\.sql\).* A restore needs that release\.$/),
    )
  })

  it('shows the command of a restore, with the folder of this backup, and runs nothing itself', async () => {
    const [name] = readdirSync(folder).filter(one => one.endsWith('Z'))
    await ada.page.getByRole('button', { name: /^Restore the backup: Today/ }).click()
    const dialog = ada.page.getByRole('dialog', { name: 'Restore this backup' })
    await shown(dialog)
    expect(await dialog.getByRole('textbox', { name: 'With npm start' }).first().inputValue()).to.equal(
      `npm run admin -- restore ${join(folder, name!)} --replace`,
    )
    await expectAccessible(ada.page)
    await ada.page.keyboard.press('Escape')
    await gone(dialog)
    expect(existsSync(join(folder, name!, 'manifest.json'))).to.equal(true)
  })

  it('is not for administrators, whose address leads to the people', async () => {
    expect((await ada.http.patchJson('/admin/people/bob', { role: 'admin' })).status).to.equal(204)
    await bob.page.reload()
    await bob.page.goto('/#/admin/backups')
    await shown(bob.page.getByRole('heading', { level: 1, name: 'People' }))
    expect(await bob.page.getByRole('link', { name: 'Backups' }).count()).to.equal(0)
  })

  it('Ready for the office? counts the proof', async () => {
    await ada.page.goto('/#/admin/ready')
    await shown(
      ada.page.locator('[data-check=backup]').getByText(/^A backup was restored and compared: Today/),
    )
  })
})
