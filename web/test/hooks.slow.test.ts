import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { gone, shown } from '#shared/test-kit/visible.ts'

const CARDS = [
  {
    color: 'danger',
    pretext: 'Nightly build',
    author: 'Ada Lovelace',
    author_url: 'https://ci.example/people/ada',
    title: 'Build 4182 failed',
    url: 'https://ci.example/4182',
    text: 'Two of *914* tests. `bob` looks.',
    fields: [
      { title: 'Branch', value: 'main', short: true },
      { title: 'Duration', value: '12 min', short: true },
      { title: 'First failure', value: 'retention keeps pinned messages' },
    ],
    image: 'https://ci.example/4182.png',
    links: [
      { text: 'Log', url: 'https://ci.example/4182/log' },
      { text: 'Run again', url: 'javascript:alert(1)' },
    ],
    footer: 'ci.example',
    ts: 1_790_000_000,
  },
  { color: '#2e9052', text: 'Disk: *12 %* used' },
]
const FLAT = 'Nightly build\nAda Lovelace\n[Build 4182 failed](https://ci.example/4182)\nTwo of *914* tests.'

/** In order: each test goes on where the one before ended. */
describe('messages with cards', function () {
  this.timeout(300_000)
  let stack: FullStack
  let ada: SignedIn

  before(async () => {
    stack = await startFullStack({ settings: { channels: ['general', 'design'] } })
    ada = await stack.signedIn('ada')
    await ada.http.send('general', 'before')
    await ada.http.send('general', `The nightly build\n\n${FLAT}`)
    const extra = {
      bot: { name: 'ci', emoji: 'tada', hook_id: 1 },
      cards: CARDS,
      cards_at: 'The nightly build\n\n'.length,
    }
    await stack.backing.admin(
      `update messages set extra = '${JSON.stringify(extra)}' where content like 'The nightly build%'`,
    )
  })
  after(async () => {
    expect(ada.complaints).to.deep.equal([])
    await stack?.close()
  })

  const message = () => ada.row('The nightly build')

  it('have name, emoji and cards in place of the flattened lines', async () => {
    await ada.page.goto('/#/c/general')
    await ada.page.reload()
    await shown(message().locator('.hook-card').first())
    expect(await message().locator('.hook-card').count()).to.equal(2)
    expect(await message().getByText('Build 4182 failed').count()).to.equal(1)
    await shown(message().locator('.message-row-head').getByText('ci', { exact: true }))
    await shown(message().locator('.message-row-head .person-tag', { hasText: 'bot' }))
    await shown(message().locator('.hook-sign', { hasText: '🎉' }))
    await shown(message().locator('strong', { hasText: '914' }))
    await expectAccessible(ada.page)
  })

  it('link with noopener, and load nothing remote', async () => {
    const title = message().getByRole('link', { name: 'Build 4182 failed' })
    expect(await title.getAttribute('rel')).to.include('noopener')
    expect(await message().getByRole('link', { name: 'Picture' }).getAttribute('href')).to.equal(
      'https://ci.example/4182.png',
    )
    expect(await message().locator('img[src^="https://ci.example"]').count()).to.equal(0)
    expect(await message().getByText('Run again').count()).to.equal(0)
  })

  it('fit a dark phone and forced colours', async () => {
    await ada.page.emulateMedia({ colorScheme: 'dark' })
    await ada.page.setViewportSize({ width: 390, height: 844 })
    await shown(message().locator('.hook-card').last())
    await expectAccessible(ada.page)
    expect(await ada.page.evaluate(() => document.documentElement.scrollWidth)).to.equal(390)
    await ada.page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
    await shown(message().locator('.hook-card').last())
    const bar = await message()
      .locator('.hook-card')
      .first()
      .evaluate(card => getComputedStyle(card).borderInlineStartWidth)
    expect(bar).to.equal('3px')
    await ada.page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' })
    await ada.page.setViewportSize({ width: 1280, height: 800 })
  })

  it('are searched by their flattened lines', async () => {
    await ada.page.goto('/#/search/Lovelace')
    await shown(
      ada.page
        .locator('[data-region=panel]')
        .getByText(/Lovelace/)
        .first(),
    )
    await gone(ada.page.locator('[data-region=panel] .hook-card'))
  })
})
