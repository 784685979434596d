import { expect } from 'chai'
import sharp from 'sharp'
import type { SavedPayload, ScheduledPayload } from '#shared/domain/payloads/later.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import type { ThreadPayload } from '#shared/domain/payloads/threads.ts'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('a thread beside its channel', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: Person
  let cleo: Person
  let root: number

  before(async () => {
    stack = await startFullStack({ apis: 2, settings: { channels: ['general', 'design'] } })
    bob = await stack.person('bob')
    cleo = await stack.person('cleo')
    ada = await stack.signedIn('ada')
    root = await ada.http.send('general', 'where do we eat?')
    await bob.send('general', 'at the harbour', { reply_to_id: String(root) })
    await cleo.send('general', 'not again', { reply_to_id: String(root) })
  })
  after(() => stack?.close())

  const list = () => ada.page.locator('#messages')
  const summary = (count: string) => list().locator('.thread-summary', { hasText: count })
  const replies = () => ada.panel.locator('.thread-rows article .message-text')
  const field = () => ada.panel.getByRole('textbox', { name: 'Reply', exact: true })

  it('opens from its summary line, counts on and takes a reply', async () => {
    await summary('2 replies').click()
    await eventually(async () =>
      expect(await replies().allInnerTexts()).to.deep.equal([
        'where do we eat?',
        'at the harbour',
        'not again',
      ]),
    )
    await field().fill('then you choose')
    await field().press('Enter')
    await shown(replies().getByText('then you choose'))
    await shown(list().locator('article', { hasText: 'then you choose' }))
    await shown(summary('3 replies'))
    await bob.send('general', 'the mill', { reply_to_id: String(root) })
    await shown(replies().getByText('the mill'))
    await shown(summary('4 replies'))
    await expectAccessible(ada.page)
    await ada.button('Close thread').click()
    await gone(ada.panel)
  })

  it('counts down when a reply is deleted, and stays when the root is', async () => {
    const asked = await ada.http.send('general', 'a root to delete')
    const first = await bob.send('general', 'first answer', { reply_to_id: String(asked) })
    await cleo.send('general', 'second answer', { reply_to_id: String(asked) })
    const line = list().locator('article', { hasText: 'a root to delete' }).first().locator('.thread-summary')
    await shown(line.getByText('2 replies'))
    await bob.delete(first)
    // The only reply stands below.
    await gone(line)
    await list().locator('article', { hasText: 'a root to delete' }).first().focus()
    await ada.page.keyboard.press('t')
    await shown(replies().getByText('second answer'))
    await ada.http.delete(asked)
    await shown(ada.panel.getByText('Message deleted').first())
    await shown(replies().getByText('second answer'))
    await ada.page.keyboard.press('Escape')
    await gone(ada.panel)
    const tombstone = list().locator('article', { hasText: 'Message deleted' }).filter({ hasText: '1 reply' })
    await tombstone.focus()
    await ada.page.keyboard.press('t')
    await shown(replies().getByText('second answer'))
    await ada.button('Close thread').click()
  })

  it('opens and closes by T, follows by F, and keeps its own draft', async () => {
    const article = list().locator('article', { hasText: 'where do we eat?' }).first()
    await article.focus()
    await ada.page.keyboard.press('t')
    await shown(ada.panel.getByRole('heading', { name: /^Thread/ }))
    const following = ada.panel.getByRole('button', { name: 'Following' })
    await shown(following)
    await ada.page.keyboard.press('f')
    await shown(ada.panel.getByRole('button', { name: 'Follow', exact: true }))
    await ada.page.keyboard.press('f')
    await shown(following)
    await field().fill('half a thought')
    await ada.composer.fill('for the channel')
    await ada.button('Close thread').click()
    await summary('4 replies').click()
    await eventually(async () => expect(await field().inputValue()).to.equal('half a thought'))
    expect(await ada.composer.inputValue()).to.equal('for the channel')
    await field().fill('')
    await ada.composer.fill('')
    await ada.panel.locator('article').first().focus()
    await ada.page.keyboard.press('t')
    await gone(ada.panel)
  })

  it('tells under its root what is new until it was read, and how many people write in it', async () => {
    const { page } = ada
    const asked = await ada.http.send('general', 'who brings the ladder?')
    const line = list()
      .locator('article', { hasText: 'who brings the ladder?' })
      .first()
      .locator('.thread-summary')
    await page.goto('/#/c/design')
    await shown(ada.heading.getByText('design'))
    await bob.send('general', 'not me', { reply_to_id: String(asked) })
    await cleo.send('general', 'me neither', { reply_to_id: String(asked) })
    await page.goto('/#/c/general')
    await shown(line.getByText('2 new', { exact: true }))
    await line.click()
    await shown(ada.panel.getByText('#general, 3 people'))
    await shown(ada.panel.locator('.new-messages-line', { hasText: '2 new' }))
    await shown(line.getByText('2 new', { exact: true }))
    await expectAccessible(page)

    await ada.panel.getByRole('button', { name: 'More about this thread' }).click()
    await shown(page.getByRole('menuitem', { name: 'Stop following' }))
    await page.getByRole('menuitem', { name: 'Show in #general' }).click()
    await shown(list().locator('article.is-flashing', { hasText: 'who brings the ladder?' }))

    // Esc returns to the row, which has nothing new then. Its reply is counted once it comes.
    await ada.panel.locator('h2').focus()
    await page.keyboard.press('Escape')
    await gone(ada.panel)
    await focusIsOn(page, `#messages [data-message-id="${asked}"]`)
    await gone(line.locator('.thread-summary-new'))
    await shown(line.getByText('2 replies'))
  })

  it('takes files by button, paste and drop, which are one reply with their text', async () => {
    const { page } = ada
    const asked = await ada.http.send('general', 'who has the plans?')
    const article = list().locator('article', { hasText: 'who has the plans?' }).first()
    await article.focus()
    await page.keyboard.press('t')
    await shown(field())
    const named = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`of ${name}`) })
    await ada.panel.locator('input[type=file]').setInputFiles([named('north.txt'), named('wrong.txt')])
    const give = (kind: 'paste' | 'drop', name: string) =>
      page.evaluate(
        ([kind, name]) => {
          const data = new DataTransfer()
          data.items.add(new File(['drawn'], name!, { type: 'text/plain' }))
          const more = { bubbles: true, cancelable: true }
          if (kind === 'paste')
            document
              .querySelector('#thread-composer')!
              .dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, ...more }))
          else
            for (const type of ['dragenter', 'dragover', 'drop'])
              document
                .querySelector('.thread-rows')!
                .dispatchEvent(new DragEvent(type, { dataTransfer: data, ...more }))
        },
        [kind, name],
      )
    await give('paste', 'south.txt')
    await give('drop', 'east.txt')
    const remove = (name: string) => ada.panel.getByRole('button', { name: `Remove ${name}` })
    for (const name of ['north.txt', 'wrong.txt', 'south.txt', 'east.txt']) await shown(remove(name))
    expect(await page.locator('[data-region=composer] .attachment').count()).to.equal(0)
    await remove('wrong.txt').click()
    await gone(remove('wrong.txt'))
    await expectAccessible(page)

    // They wait with the draft of the thread.
    await page.reload()
    await shown(remove('north.txt'))
    await field().fill('all three')
    await field().press('Enter')
    await gone(remove('north.txt'))
    for (const name of ['north.txt', 'south.txt', 'east.txt'])
      await shown(ada.panel.locator('.thread-rows').getByText(name))
    await shown(list().locator('article', { hasText: 'all three' }))
    await eventually(async () => {
      const { rows } = await ada.http.get<ThreadPayload>(`/thread/${asked}`)
      expect(
        rows.map(({ content, extra }) => [content, extra?.file?.name, extra?.part !== undefined]),
      ).to.deep.equal([
        ['all three', undefined, false],
        ['', 'north.txt', true],
        ['', 'south.txt', true],
        ['', 'east.txt', true],
      ])
    })

    // A file that is going out tells its progress and can be given up; a refused one says why.
    await page.route('**/send/general*', () => {})
    await ada.panel.locator('input[type=file]').setInputFiles([named('slow.txt')])
    await ada.panel.getByRole('button', { name: 'Send', exact: true }).click()
    await shown(ada.panel.getByRole('progressbar', { name: /slow.txt/ }))
    await ada.panel.getByRole('button', { name: /Cancel.*slow.txt/ }).click()
    await gone(ada.panel.getByText('slow.txt'))
    await page.unroute('**/send/general*')
    await page.route('**/send/general*', route =>
      route.fulfill({ status: 413, contentType: 'application/json', body: '{"error":"storage full"}' }),
    )
    await ada.panel.locator('input[type=file]').setInputFiles([named('full.txt')])
    await ada.panel.getByRole('button', { name: 'Send', exact: true }).click()
    const failed = ada.panel.locator('.thread-rows article', { hasText: 'full.txt' })
    await shown(failed.getByRole('button', { name: 'Try again' }))
    await page.unroute('**/send/general*')
    await failed.getByRole('button', { name: 'Try again' }).click()
    await gone(failed.getByRole('button', { name: 'Try again' }))
    await eventually(async () =>
      expect((await ada.http.get<ThreadPayload>(`/thread/${asked}`)).rows.at(-1)?.extra?.file?.name).to.equal(
        'full.txt',
      ),
    )
    await ada.button('Close thread').click()
  })

  it('that a person follows comes on after a restart of the servers, with what was written meanwhile', async () => {
    await summary('4 replies').click()
    await shown(replies().getByText('the mill'))
    await stack.events[0]!.kill()
    await stack.api[0]!.kill()
    stack.api[0] = await startService('api', stack.backing.env)
    await bob.send('general', 'written during the restart', { reply_to_id: String(root) })
    stack.events[0] = await startService('events', stack.backing.env)
    await shown(replies().getByText('written during the restart'))
    await shown(summary('5 replies'))
    await field().fill('read it')
    await field().press('Enter')
    await shown(list().locator('article', { hasText: 'read it' }))
    await eventually(async () =>
      expect((await replies().allInnerTexts()).slice(-2)).to.deep.equal([
        'written during the restart',
        'read it',
      ]),
    )
    await ada.button('Close thread').click()
  })

  it('takes a reply of a late joiner, who cannot see its root', async () => {
    const den = await bob.createPrivateChannel('den', [cleo.name])
    const hidden = await bob.send(den, 'before ada came')
    await bob.addMember(den, 'ada')
    const first = await cleo.send(den, 'an answer', { reply_to_id: String(hidden) })
    await ada.page.goto(`/#/p/${den.slice('private:'.length)}`)
    await list().locator('article', { hasText: 'an answer' }).focus()
    await ada.page.keyboard.press('t')
    await shown(ada.panel.getByText('an answer'))
    await field().fill('a late answer')
    await field().press('Enter')
    const rows = async () => (await ada.http.get<ThreadPayload>(`/thread/${first}`)).rows
    await eventually(async () =>
      expect((await rows()).map(row => row.content)).to.deep.equal(['an answer', 'a late answer']),
    )
    await shown(ada.panel.locator('article', { hasText: 'a late answer' }))
    const newest = (await rows()).at(-1)!.id
    for (const command of ['/remind 1h', '/schedule 23:58 tonight']) {
      await field().fill(command)
      await field().press('Enter')
      await eventually(async () => expect(await field().inputValue()).to.equal(''))
    }
    await eventually(async () => {
      const saved = (await ada.http.get<Page<SavedPayload>>('/saved')).items
      expect(saved.map(one => one.message.id)).to.deep.equal([newest])
      const scheduled = (await ada.http.get<Page<ScheduledPayload>>('/scheduled')).items
      expect(scheduled.map(one => one.reply_to_id)).to.deep.equal([newest])
    })
    await ada.button('Close thread').click()
    await ada.page.goto('/#/c/general')
    await shown(ada.heading.getByText('general'))
  })

  it('has the replies alone when they are folded, except new ones until they are read', async () => {
    const { page } = ada
    const inList = (text: string) => list().locator('article', { hasText: text })
    const folded = await ada.http.send('general', 'which day?')
    const image = await sharp({ create: { width: 90, height: 60, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const about = { reply_to_id: String(folded) }
    await bob.sendImages('general', [{ name: 'calendar.png', bytes: image }], 'monday', about)
    await shown(inList('monday'))
    const isRead = async () => {
      // Reading takes a person.
      await page.keyboard.press('Shift')
      await eventually(async () =>
        expect((await ada.http.get<Record<string, number>>('/channel_unreads'))['general']).to.equal(0),
      )
    }
    await isRead()
    await ada.http.prefer({ fold_replies: true })
    await page.reload()
    await shown(inList('which day?').locator('.thread-summary', { hasText: '1 reply' }))

    // This device learns of the choice after its first paint.
    await gone(inList('monday'))
    await inList('which day?').locator('.thread-summary').click()
    await ada.panel.getByRole('button', { name: /^Image from bob/ }).click()
    await shown(page.getByRole('dialog').locator('img').first())
    await page.keyboard.press('Escape')
    await ada.button('Close thread').click()

    // A new one is shown where it came, and counts.
    await page.goto('/#/c/design')
    await shown(ada.heading.getByText('design'))
    const reply = await cleo.send('general', 'rather tuesday', { reply_to_id: String(folded) })
    await shown(ada.sidebarRow('general').getByText('1', { exact: true }))
    await page.goto('/#/c/general')
    await shown(inList('rather tuesday'))
    await isRead()
    await page.reload()
    await shown(inList('which day?').locator('.thread-summary', { hasText: '2 replies' }))
    expect(await inList('rather tuesday').count()).to.equal(0)

    // A link leads into the thread.
    await page.goto(`/#/c/general/m/${reply}`)
    await shown(ada.panel.locator('article.is-flashing', { hasText: 'rather tuesday' }))
    await expectAccessible(page)
    await ada.button('Close thread').click()
    await gone(ada.panel)

    // R answers there.
    await inList('which day?').focus()
    await page.keyboard.press('r')
    await focusIsOn(page, '#thread-composer')
    await page.keyboard.type('tuesday it is')
    await page.keyboard.press('Enter')
    await shown(replies().getByText('tuesday it is'))
    await shown(inList('which day?').locator('.thread-summary', { hasText: '3 replies' }))
    expect(await inList('tuesday it is').count()).to.equal(0)
    await ada.button('Close thread').click()
    await ada.http.prefer({ fold_replies: null })
    await shown(inList('tuesday it is'))
  })
})
