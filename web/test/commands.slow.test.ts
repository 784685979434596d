import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { expectAccessible } from '#shared/test-kit/axe.ts'
import { FAKE_DEVICES } from '#shared/test-kit/browser.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

/** In the order in which they are listed. */
const COMMANDS =
  'join leave topic rename add archive mute unmute status away pause remind schedule goto search call shrug me help'.split(
    ' ',
  )

/** Texts that do not run in a public channel, and what is said. */
const WRONG: [text: string, sentence: string][] = [
  ['/join', 'Write /join #channel'],
  ['/join #nowhere', 'There is no channel named nowhere.'],
  ['/topic', 'Write /topic text'],
  ['/rename', 'Write /rename name'],
  ['/add', 'Write /add @person'],
  ['/add @nobody-here', 'nobody-here cannot be added'],
  ['/mute soon', 'Write /mute 1h'],
  ['/status :nosuch: x', 'There is no emoji named nosuch.'],
  ['/pause', 'Write /pause 30m'],
  ['/remind', 'Write /remind 20m'],
  ['/schedule 14:00', 'Write /schedule 14:00 text'],
  ['/goto 2026-02-30', 'Write /goto 2026-03-01'],
  ['/call', 'Calls are possible with people, in direct messages and private channels.'],
  ['/me', 'Write /me text'],
]

describe('slash commands, by keyboard', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let bob: SignedIn

  before(async () => {
    stack = await startFullStack({
      chromium: FAKE_DEVICES,
      previews: true,
      settings: { channels: ['general', 'design'], hooks_allow: ['127.0.0.0/8'] },
    })
    ada = await stack.signedIn('ada')
    bob = await stack.signedIn('bob')
  })
  after(() => stack?.close())

  const press = (key: string) => ada.page.keyboard.press(key)
  const becomes = (read: () => Promise<unknown>, value: unknown) =>
    eventually(async () => expect(await read()).to.deep.equal(value))
  const written = () => ada.composer.inputValue()
  const toast = (text: string) => ada.page.locator('.toast', { hasText: text })
  const type = async (text: string) => {
    await focusIsOn(ada.page, '[data-region=composer] textarea')
    await ada.page.keyboard.type(text)
  }
  const run = async (text: string) => {
    // A space ends the completion of a name, whose Enter would accept it.
    await type(/[#@]/.test(text) ? `${text} ` : text)
    await press('Enter')
  }
  const clear = async () => {
    await press('Control+a')
    await press('Delete')
    await becomes(written, '')
  }
  const open = async (channel: string) => {
    await ada.page.goto(`/#/${channel}`)
    await ada.composer.waitFor()
    await ada.composer.focus()
  }
  const refused = async (text: string, sentence: string) => {
    await run(text)
    await shown(toast(sentence))
    await becomes(written, text)
    await clear()
  }
  /** Texts of the messages with a reminder, by id. */
  const reminders = async () => {
    const { items } = await ada.http.get<{ items: { message: { id: number }; remind_ts: number | null }[] }>(
      '/saved',
    )
    return items.filter(one => one.remind_ts !== null).map(one => one.message.id)
  }

  it('each is completed from its first letters', async () => {
    await open('c/general')
    const options = ada.page.getByRole('listbox').getByRole('option')
    for (const name of COMMANDS) {
      const letters = name.slice(0, -1)
      await type(`/${letters}`)
      await shown(options.filter({ hasText: `/${name}` }))
      const steps = COMMANDS.filter(one => one.startsWith(letters)).indexOf(name)
      for (let step = 0; step < steps; step++) await press('ArrowDown')
      await press('Tab')
      await becomes(written, `/${name} `)
      await clear()
    }
    await type('not first /to')
    expect(await options.count()).to.equal(0)
    await clear()
  })

  it('the chosen one stays above the foot of the list', async () => {
    await type('/')
    const chosen = ada.page.getByRole('option', { selected: true })
    for (const name of COMMANDS.slice(0, 12)) {
      await shown(chosen.filter({ hasText: `/${name}` }))
      const isOnTop = () =>
        chosen.evaluate(option => {
          const { left, bottom, width } = option.getBoundingClientRect()
          return option.contains(document.elementFromPoint(left + width / 2, bottom - 4))
        })
      await eventually(async () => expect(await isOnTop(), name).to.equal(true))
      await press('ArrowDown')
    }
    await clear()
  })

  it('wrong arguments are told and the text stays', async () => {
    await open('c/general')
    for (const [text, sentence] of WRONG) await refused(text, sentence)
    await open('d/ada,bob')
    for (const text of ['/topic x', '/rename x', '/add @bob', '/archive'])
      await refused(text, 'This is not possible in a direct message.')
  })

  it('/join, /topic, /rename, /add, /leave and /archive act on channels', async () => {
    await bob.http.postJson('/public_channels', { id: 'bench', name: 'bench' })
    await open('c/general')
    await run('/join #bench')
    await ada.page.waitForURL(/#\/c\/bench$/)
    await run('/leave')
    await gone(ada.sidebarRow('bench'))
    await ada.http.postJson('/public_channels', { id: 'shed', name: 'shed' })
    await shown(ada.sidebarRow('shed'))
    await open('c/shed')
    await shown(ada.heading.getByText('shed'))
    await run('/topic Keys are with cleo')
    await shown(ada.page.locator('.channel-header-topic', { hasText: 'Keys are with cleo' }))
    await run('/rename Boat shed')
    await shown(ada.heading.getByText('Boat shed'))
    expect(await bob.sidebarRow('Boat shed').count()).to.equal(0)
    await run('/add @bob')
    await shown(bob.sidebarRow('Boat shed'))
    await run('/archive')
    await gone(ada.composer)
    await eventually(async () => {
      const { archived } = await ada.http.get<{ archived: boolean }>('/channel_info/shed')
      expect(archived).to.equal(true)
    })
  })

  it('who may not do it reads why', async () => {
    await bob.page.goto('/#/c/design')
    await shown(bob.heading.getByText('design'))
    for (const text of ['/archive', '/rename Studio']) {
      await bob.say(text)
      await shown(bob.page.locator('.toast', { hasText: 'You may not do this in #design.' }))
      await becomes(() => bob.composer.inputValue(), text)
      await bob.composer.fill('')
    }
    await shown(ada.sidebarRow('design'))
    await bob.page.goto('/#/c/general')
    await shown(bob.heading.getByText('general'))
  })

  it('/mute, /unmute, /status, /away and /pause act on oneself', async () => {
    await open('c/design')
    const muted = ada.page.locator('nav a.sidebar-row.is-muted', { hasText: 'design' })
    await run('/mute')
    await shown(muted)
    await run('/unmute')
    await gone(muted)
    await run('/mute 1h')
    await shown(muted)
    await run('/unmute')
    await gone(muted)
    interface Known {
      people: { username: string; status: { emoji: string; text: string } | null }[]
    }
    const status = async () =>
      (await bob.http.get<Known>('/people')).people.find(one => one.username === 'ada')?.status
    await run('/status 🏝️ at the sea')
    await eventually(async () => expect(await status()).to.include({ emoji: '🏝️', text: 'at the sea' }))
    await run('/status')
    await becomes(status, null)
    await run('/away')
    await becomes(async () => (await bob.http.get<Record<string, string>>('/online_users'))['ada'], 'idle')
    await run('/pause 30m')
    await shown(toast('Notifications of this device are paused until'))
  })

  it('/remind is about the newest message, the selected or the answered one', async () => {
    const ids: number[] = []
    for (const text of ['first plan', 'second plan', 'third plan', 'fourth plan'])
      ids.push(await bob.http.send('design', text))
    const [first, second, third, fourth] = ids
    await open('c/design')
    await shown(ada.row('fourth plan'))
    await run('/remind 20m')
    await shown(toast('fourth plan'))
    await becomes(reminders, [fourth])

    const select = async (text: string, key: string) => {
      await ada.row(text).focus()
      await press(key)
      await focusIsOn(ada.page, 'article[data-message-id]')
      await press('F6')
    }
    await select('first plan', 'ArrowDown')
    await refused('/remind soon', 'Write /remind 20m')
    await run('/remind 20m')
    await shown(toast('second plan'))
    await becomes(async () => (await reminders()).includes(second!), true)

    await select('fourth plan', 'ArrowUp')
    await press('Shift+F6')
    await focusIsOn(ada.page, 'article[data-message-id]')
    await press('r')
    await run('/remind tomorrow 9:00')
    await shown(toast('third plan'))
    await becomes(async () => (await reminders()).includes(third!), true)
    await gone(ada.page.getByText('Replying to'))

    await ada.row('first plan').focus()
    await press('Escape')
    await run('/remind 30m')
    await shown(toast('fourth plan'))
    expect(await reminders()).to.have.members([second, third, fourth])
    expect(await reminders()).not.to.include(first)
  })

  it('/schedule keeps a text for later', async () => {
    await open('c/design')
    await run('/schedule tomorrow 9:00 good morning')
    await shown(toast('Will be sent:'))
    const { items } = await ada.http.get<{ items: { text: string; channel: string }[] }>('/scheduled')
    expect(items.map(({ text, channel }) => [text, channel])).to.deep.equal([['good morning', 'design']])
  })

  it('/goto and /search lead to messages', async () => {
    const id = await bob.http.send('general', 'the ferry was late')
    await stack.backing.admin(`update messages set ts = ts - 40 * 86400 where id = ${id}`)
    const day = new Date(Date.now() - 40 * 86_400_000)
    await bob.http.send('general', 'the ferry is on time')
    await ada.page.reload()
    await open('c/general')
    const two = (number: number) => String(number).padStart(2, '0')
    await run(`/goto ${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`)
    await shown(ada.page.locator('article.is-flashing', { hasText: 'the ferry was late' }))
    await ada.composer.focus()
    await run('/search ferry late')
    await shown(ada.panel.locator('.result', { hasText: 'was late' }))
    expect(await ada.panel.locator('.result').count()).to.equal(1)
    await ada.button('Close search').press('Enter')
  })

  it('/shrug and /me are messages; /help lists all', async () => {
    await open('c/general')
    await run('/shrug no idea')
    await shown(bob.row('no idea ¯\\＿(ツ)＿/¯'))
    await run('/me waves')
    await shown(bob.row('waves').locator('em', { hasText: 'waves' }))
    await run('/help')
    const help = ada.page.locator('.command-help')
    await shown(help)
    expect(await help.locator('b').allInnerTexts()).to.deep.equal(COMMANDS.map(name => `/${name}`))
    await expectAccessible(ada.page)
    await press('Escape')
    await gone(help)
    await focusIsOn(ada.page, '[data-region=composer] textarea')
  })

  it('/call rings in a direct message', async () => {
    await open('d/ada,bob')
    await ada.say('may I?')
    await shown(ada.page.locator('article:not([data-pending])', { hasText: 'may I?' }))
    await run('/call')
    await shown(ada.page.locator('.stage [data-person=bob]'))
    await shown(bob.page.getByRole('alertdialog').getByText('Voice call'))
  })

  describe('of the workspace', () => {
    let program: Server
    let answer: { status: number; body: unknown }

    before(async () => {
      program = createServer((req, res) => {
        req.resume().on('end', () => {
          res.writeHead(answer.status, { 'Content-Type': 'application/json' })
          res.end(JSON.stringify(answer.body))
        })
      })
      program.listen(0, '127.0.0.1')
      await once(program, 'listening')
      const { port } = program.address() as AddressInfo
      await ada.http.postJson('/confirm', { password: PASSWORD })
      await ada.http.postJson('/bots', { username: 'deploy-bot' })
      const made = await ada.http.postJson('/commands', {
        name: 'deploy',
        url: `http://127.0.0.1:${port}/`,
        bot: 'deploy-bot',
        usage: '[place]',
        description: 'Deploys a place',
      })
      expect(made.status).to.equal(201)
    })
    after(() => program?.close())

    it('are completed, and their private answers last until a reload', async () => {
      answer = {
        status: 200,
        body: { text: 'Started *prod*', attachments: [{ color: 'good', text: 'Build 7' }] },
      }
      await open('c/general')
      await ada.page.reload()
      await eventually(async () => {
        await clear()
        await type('/dep')
        expect(await ada.page.getByRole('option', { name: /deploy/ }).count()).to.equal(1)
      })
      await press('Tab')
      await ada.page.keyboard.type('prod')
      await press('Enter')
      const shownAnswer = ada.page.locator('.command-answer')
      await shown(shownAnswer.getByText('Only you see this'))
      await shown(shownAnswer.locator('strong', { hasText: 'prod' }))
      await shown(shownAnswer.locator('.hook-card', { hasText: 'Build 7' }))
      await expectAccessible(ada.page)
      await becomes(written, '')
      expect(await bob.page.getByText('Build 7').count()).to.equal(0)
      await ada.page.reload()
      await shown(ada.composer)
      await gone(shownAnswer)
    })

    it('post what their bot says to all', async () => {
      answer = { status: 200, body: { response_type: 'in_channel', text: 'deployed to prod' } }
      await bob.page.goto('/#/c/general')
      await open('c/general')
      await run('/deploy prod')
      await shown(bob.row('deployed to prod').locator('.person-tag', { hasText: 'bot' }))
      await shown(ada.row('deployed to prod'))
      await becomes(written, '')
    })

    it('say that they failed, and leave the text', async () => {
      answer = { status: 500, body: {} }
      await run('/deploy prod')
      await shown(toast('/deploy did not answer.'))
      await becomes(written, '/deploy prod')
      await clear()
    })
  })

  it('cause no page errors', () => {
    expect([...ada.complaints, ...bob.complaints]).to.deep.equal([])
  })
})
