import { expect } from 'chai'
import fc from 'fast-check'
import { slackMessage } from './slack-shape.ts'
import { fromMrkdwn } from './slack-text.ts'
import { InvalidPayload } from './slack-values.ts'

const options = { tellsEveryone: false, longest: 5_000 }
const message = (payload: Record<string, unknown>) => slackMessage(payload, options)
const content = (payload: Record<string, unknown>) => message(payload).content

describe('a text of Slack', () => {
  const cases: [from: string, to: string][] = [
    ['<https://a.example/x|log>', '[log](https://a.example/x)'],
    ['<https://a.example/x>', 'https://a.example/x'],
    ['<https://a.example/(x)|a [b]>', '[a \\[b\\]](https://a.example/%28x%29)'],
    ['<mailto:a@b.example|Ada>', 'Ada'],
    ['<@ada> <@U12|bob> <#C12|general>', '@ada @bob #general'],
    ['<!subteam^S1|@team>', '@team'],
    ['<!date^1392734382^{date}|18 February>', '18 February'],
    ['<!channel> @all @here, @everyone', 'everyone everyone everyone, everyone'],
    ['me@here.example /@all', 'me@here.example /@all'],
    ['a &amp;lt; b &lt;c&gt;', 'a &lt; b <c>'],
    ['# Title\n* one\n![x](https://a.example/p.png)', '*Title*\n- one\n[x](https://a.example/p.png)'],
    ['`<https://a.example|x> @all`', '`x @all`'],
    ['```\n# no title\n<https://a.example>\n```', '```\n# no title\nhttps://a.example\n```'],
    ['<b> <javascript:alert(1)|x>', '<b> <javascript:alert(1)|x>'],
    ['<!date^1^x|@everyone>', 'everyone'],
    ['done<!here> <!here><!channel>', 'doneeveryone everyoneeveryone'],
    ['<mailto:a@b.example>', 'a@b.example'],
    ['<@U12> <#C12> <!subteam^S1>', '@U12 #C12 '],
    ['<!everyone> <!here|here> <!unknown|words>', 'everyone everyone words'],
    ['&lt;!channel&gt; &amp;amp;', '<!channel> &amp;'],
    ['### *Title* of **two** words', '**Title* of two words*'],
    ['![](https://a.example/p.png) ![x](y)', '[](https://a.example/p.png) [x](y)'],
    [' * one\n\t*  two\n*bold* *', ' - one\n\t- two\n*bold* *'],
    ['`<@U1|ada> # * ![x](y)`', '`<@U1|ada> # * ![x](y)`'],
    ['`<mailto:a@b.example>` `<https://a.example>`', '`a@b.example` `https://a.example`'],
    [
      '| a | b |\n|---|:-:|\n| 1 | <https://a.example|x> |\nend',
      '```\n| a | b |\n|---|:-:|\n| 1 | x |\n```\nend',
    ],
    ['so:\na|b\n-|-\n@all|* 2', 'so:\n```\na|b\n-|-\n@all|* 2\n```'],
    ['a | b\n---\nc | d', 'a | b\n---\nc | d'],
    ['```\n|a|\n|-|\n```', '```\n|a|\n|-|\n```'],
    ['```x``` |a|\n|-|\n|1| ```y```', '```x``` |a|\n|-|\n|1| ```y```'],
  ]
  for (const [from, to] of cases)
    it(`${JSON.stringify(from)} is ${JSON.stringify(to)}`, () => expect(fromMrkdwn(from, false)).to.equal(to))

  it('tells everyone only with the right', () => {
    expect(fromMrkdwn('<!here> @channel', true)).to.equal('@everyone @everyone')
  })

  it('takes linear time for hostile texts', () => {
    const started = performance.now()
    for (const piece of [
      '<',
      '`',
      '```',
      '@all',
      '#',
      '![',
      '&amp;',
      '<!date^',
      '# ',
      '# \t',
      ' * ',
      '|-',
      '|-|\n',
      '| ',
      '- ',
    ])
      fromMrkdwn(piece.repeat(100_000), false)
    expect(performance.now() - started).to.be.below(3_000)
  })
})

describe('a message of Slack', () => {
  it('has name, emoji, place and id of the sender', () => {
    expect(
      message({
        text: 'hi',
        username: ' ci\nbot ',
        icon_emoji: ':tada:',
        channel: '#design',
        thread_ts: '1.000001',
        client_id: 'x',
      }),
    ).to.include({
      content: 'hi',
      name: 'ci bot',
      emoji: 'tada',
      channel: '#design',
      threadTs: '1.000001',
      clientId: 'x',
      dropped: 0,
    })
  })

  it('has cards, whose lines follow the text', () => {
    const {
      content: text,
      cards,
      cardsAt,
    } = message({
      text: 'Build',
      attachments: [
        {
          color: 'D00000',
          pretext: 'now',
          author_name: 'ada',
          title: 'Failed',
          title_link: 'https://ci.example/1',
          text: '<https://ci.example|log>',
          fields: [{ title: 'Branch', value: 7, short: true }],
          image_url: 'javascript:alert(1)',
          footer: 'ci',
          ts: '1700000000',
          actions: [{ text: 'Open', url: 'https://ci.example/2' }, { text: 'Retry' }],
        },
        { fallback: 'only words' },
        {},
      ],
    })
    expect(text).to.equal(
      'Build\n\nnow\nada\n[Failed](https://ci.example/1)\n[log](https://ci.example)\n*Branch*: 7\n[Open](https://ci.example/2)\nci\n\nonly words',
    )
    expect(text.slice(cardsAt)).to.match(/^now/)
    expect(cards).to.deep.equal([
      {
        color: '#d00000',
        pretext: 'now',
        author: 'ada',
        title: 'Failed',
        url: 'https://ci.example/1',
        text: '[log](https://ci.example)',
        fields: [{ title: 'Branch', value: '7', short: true }],
        footer: 'ci',
        ts: 1_700_000_000,
        links: [{ text: 'Open', url: 'https://ci.example/2' }],
      },
      { text: 'only words' },
    ])
  })

  it('has the text of its blocks in place of the fallback', () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'Deploy' } },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '<https://a.example|41.2>' },
        fields: [{ type: 'mrkdwn', text: '*a*' }],
        accessory: { type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://a.example/o' },
      },
      { type: 'divider' },
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: 'bold ', style: { bold: true } },
              { type: 'user', user_id: 'ada' },
              { type: 'broadcast', range: 'here' },
            ],
          },
          {
            type: 'rich_text_list',
            style: 'ordered',
            elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] }],
          },
        ],
      },
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: 'a' },
          { type: 'plain_text', text: 'b' },
        ],
      },
      { type: 'input' },
    ]
    const { content: text, dropped } = message({ text: 'fallback', blocks })
    expect(text).to.equal(
      '*Deploy*\n\n[41.2](https://a.example)\n*a*\n[Open](https://a.example/o)\n\n*bold* @adaeveryone\n1. one\n\na b',
    )
    expect(dropped).to.equal(1)
  })

  it('has every block as a paragraph', () => {
    const text = (words: string, type = 'mrkdwn') => ({ type, text: words })
    const button = (words: string, url?: string) => ({ type: 'button', text: text(words, 'plain_text'), url })
    const cases: [block: object, shown: string, dropped?: number][] = [
      [{ type: 'header', text: text('A *b*', 'plain_text') }, '*A b*'],
      [{ type: 'section', fields: [text('*a*'), text('b', 'plain_text')] }, '*a*\nb'],
      [{ type: 'section', text: text('&lt;b&gt;', 'plain_text') }, '&lt;b&gt;'],
      [{ type: 'section', text: text('x'), accessory: { type: 'datepicker' } }, 'x', 1],
      [{ type: 'markdown', text: '# A\n**b** <@U1|c>' }, '*A*\n**b** <@U1|c>'],
      [
        { type: 'image', image_url: 'https://a.example/p', alt_text: 'a [b]' },
        '[a \\[b\\]](https://a.example/p)',
      ],
      [{ type: 'image', image_url: 'file:///p', alt_text: 'a' }, 'a'],
      [
        { type: 'image', title: text('t', 'plain_text'), image_url: 'https://a.example/p' },
        '[t](https://a.example/p)',
      ],
      [
        { type: 'actions', elements: [button('A', 'https://a.example/1'), button('B')] },
        '[A](https://a.example/1)',
        1,
      ],
      [
        { type: 'actions', elements: [{ type: 'overflow', options: [button('A', 'https://a.example/1')] }] },
        '[A](https://a.example/1)',
      ],
      [
        {
          type: 'context',
          elements: [{ type: 'image', image_url: 'https://a.example/p', alt_text: 'i' }, text('b')],
        },
        '[i](https://a.example/p) b',
      ],
      [{ type: 'unknown', text: text('words') }, 'words'],
      [{ type: 'unknown', text: 'words' }, 'words'],
      [{ type: 'video', title: text('t') }, '', 1],
      [{ type: 'section', text: text('<!channel> @all', 'mrkdwn') }, 'everyone everyone'],
    ]
    for (const [block, shown, dropped = 0] of cases) {
      const made = message({ blocks: [block] })
      expect([made.content, made.dropped], JSON.stringify(block)).to.deep.equal([shown, dropped])
    }
    expect(content({ blocks: [cases[1]![0], { type: 'divider' }, cases[0]![0]] })).to.equal('*a*\nb\n\n*A b*')
    expect(content({ text: 'fallback', blocks: [{ type: 'video' }] })).to.equal('fallback')
  })

  it('has rich texts with their marks', () => {
    const section = (...elements: object[]) => ({ type: 'rich_text_section', elements })
    const text = (words: string, style?: object) => ({ type: 'text', text: words, style })
    const shown = (...elements: object[]) => content({ blocks: [{ type: 'rich_text', elements }] })
    expect(
      shown(section(text('a', { italic: true }), text(' b ', { strike: true }), text('c', { code: true }))),
    ).to.equal('_a_ ~b~ `c`')
    expect(
      shown(
        section(
          { type: 'link', url: 'https://a.example', text: 'x' },
          { type: 'link', url: 'javascript:x' },
          { type: 'channel', channel_id: 'C1' },
          { type: 'emoji', name: 'tada' },
          { type: 'date', timestamp: 1, fallback: 'today' },
          { type: 'color', value: '#fff' },
          { type: 'user', user_id: 'everyone' },
        ),
      ),
    ).to.equal('[x](https://a.example)javascript:x#C1:tada:today#fffeveryone')
    expect(
      shown(
        { type: 'rich_text_quote', elements: [text('a\nb')] },
        {
          type: 'rich_text_preformatted',
          elements: [text('c ``` @all'), { type: 'link', url: 'https://a.example' }],
        },
        {
          type: 'rich_text_list',
          style: 'bullet',
          indent: 1,
          elements: [section(text('d')), section(text('e'))],
        },
      ),
    ).to.equal("> a\n> b\n```\nc ''' @allhttps://a.example\n```\n  - d\n  - e")
  })

  it('has cards of attachments in all their forms', () => {
    const cardOf = (attachment: object) => message({ attachments: [attachment] }).cards[0]
    expect(
      cardOf({ text: 'left', blocks: [{ type: 'header', text: { type: 'plain_text', text: 'A' } }] }),
    ).to.deep.equal({
      text: '*A*',
    })
    for (const [color, shown] of [
      ['good', 'good'],
      ['danger', 'danger'],
      ['#AbC', '#aabbcc'],
      ['36a64f', '#36a64f'],
      ['red', undefined],
      ['url(x)', undefined],
    ])
      expect(cardOf({ text: 'x', color })).to.deep.equal(shown ? { color: shown, text: 'x' } : { text: 'x' })
    expect(
      cardOf({
        ...{
          text: 'x',
          title: 't',
          title_link: 'ftp://a',
          author_link: 'data:x',
          thumb_url: 'https://a.example/p',
        },
        ts: 'soon',
        actions: [{ type: 'button', text: '@all', url: 'mailto:a@b.example' }, { url: 'vbscript:x' }],
        fields: [{ title: '<!channel> &amp;', value: '<https://a.example|x>' }],
      }),
    ).to.deep.equal({
      title: 't',
      text: 'x',
      fields: [{ title: 'everyone &', value: '[x](https://a.example)' }],
      image: 'https://a.example/p',
      links: [{ text: 'everyone', url: 'mailto:a@b.example' }],
    })
    expect(
      content({ attachments: [{ title: 't', image_url: 'https://a.example/p', fallback: 'f' }] }),
    ).to.equal('t\n[image](https://a.example/p)')
  })

  it('leaves the keys of Slack without effect here', () => {
    expect(
      message({
        ...{
          text: 'x',
          mrkdwn: false,
          link_names: 1,
          parse: 'full',
          unfurl_links: true,
          metadata: {},
          priority: {},
        },
        ...{
          props: { a: 1 },
          type: 'x',
          replace_original: true,
          icon_url: 'https://a.example/p',
          root_id: 7,
        },
      }),
    ).to.deep.equal({
      ...{
        content: 'x',
        cards: [],
        cardsAt: 1,
        dropped: 0,
        name: undefined,
        emoji: undefined,
        channel: undefined,
      },
      ...{ threadTs: undefined, rootId: '7', clientId: undefined },
    })
    expect(message({ text: 'x', reply_to_id: 8 }).rootId).to.equal('8')
  })

  it('is cut at the longest message, within no character', () => {
    const { content: text, cardsAt } = slackMessage(
      { text: 'abc', attachments: [{ text: '🎉🎉🎉' }] },
      { tellsEveryone: false, longest: 8 },
    )
    expect(text).to.equal('abc\n\n🎉…')
    expect(cardsAt).to.equal(5)
  })

  it('counts what is beyond the limits', () => {
    const many = Array.from({ length: 22 }, (_, at) => ({ text: String(at) }))
    expect(message({ attachments: many })).to.have.property('dropped', 2)
    expect(message({ attachments: many }).cards).to.have.length(20)
    expect(message({ text: 'x', username: 'n'.repeat(81) })).to.include({ dropped: 1, name: 'n'.repeat(80) })
    expect(message({ text: 'x', username: `${'n'.repeat(79)}🎉` }).name).to.equal('n'.repeat(79))
    const sections = many.map(({ text }) => ({ type: 'section', text: { type: 'mrkdwn', text } }))
    expect(message({ blocks: [...sections, ...sections, ...sections] })).to.have.property('dropped', 16)
    expect(
      message({ attachments: [{ fields: many.map(({ text }) => ({ value: text })) }] }),
    ).to.have.property('dropped', 2)
  })

  it('takes scalars as text, null as absent, and no other types', () => {
    expect(content({ text: 7, username: null, attachments: null })).to.equal('7')
    for (const payload of [
      { text: {} },
      { attachments: {} },
      { attachments: ['x'] },
      { blocks: 'x' },
      { username: [] },
    ])
      expect(() => message(payload), JSON.stringify(payload)).to.throw(InvalidPayload)
    expect(content({})).to.equal('')
  })
})

describe('hostile messages of Slack', () => {
  const PIECES = [
    ...[
      '<!channel>',
      '```',
      '`',
      '|a|\n|-|',
      '# x',
      '<https://a.example|x>',
      'https://a.example',
      'javascript:x',
      '🎉',
    ],
    ...['@all', '<', '>', '|', '@', '[', ']', '(', '\n', '-', '#', 'everyone', ' ', '&amp;', '*'],
  ]
  const TEXT = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map(pieces => pieces.join(''))
  const TYPES = [
    ...[
      'section',
      'header',
      'context',
      'actions',
      'rich_text',
      'markdown',
      'image',
      'divider',
      'x',
      'text',
      'link',
    ],
    ...['plain_text', 'mrkdwn', 'button', 'overflow', 'user', 'rich_text_list', 'rich_text_quote', 'date'],
    ...['rich_text_section', 'rich_text_preformatted', 'broadcast'],
  ]
  const WORDS = fc.oneof(
    { weight: 99, arbitrary: TEXT },
    { weight: 1, arbitrary: fc.constantFrom(null, 1e300, []) },
  )
  const texts = {
    ...{
      title: WORDS,
      value: WORDS,
      url: TEXT,
      image_url: TEXT,
      alt_text: TEXT,
      color: TEXT,
      fallback: TEXT,
    },
    ...{ username: TEXT, icon_emoji: TEXT, ts: WORDS, indent: WORDS, type: fc.constantFrom(...TYPES) },
  }
  const payloadOf = (depth: number): fc.Arbitrary<object> => {
    if (depth === 0) return fc.record({ ...texts, text: WORDS }, { requiredKeys: [] })
    const inner = payloadOf(depth - 1)
    const list = fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(null, 'x') },
      { weight: 99, arbitrary: fc.array(inner, { maxLength: 2 }) },
    )
    return fc.record(
      {
        ...{ ...texts, text: fc.oneof(WORDS, inner), blocks: list, attachments: list, fields: list },
        ...{ elements: list, options: list, actions: list, accessory: inner, style: inner },
      },
      { requiredKeys: ['type'] },
    )
  }

  it('are messages within their limits, or refused', () => {
    fc.assert(
      fc.property(
        payloadOf(2),
        fc.boolean(),
        fc.integer({ min: 1, max: 60 }),
        (body, tellsEveryone, longest) => {
          try {
            const made = slackMessage(body as Record<string, unknown>, { tellsEveryone, longest })
            expect(made.content.length).to.be.at.most(longest)
            expect(made.content.isWellFormed()).to.equal(true)
            expect(made.cardsAt).to.be.within(0, made.content.length)
            expect(made.cards.length).to.be.at.most(20)
            for (const { url, author_url, image, links = [] } of made.cards)
              for (const address of [url, author_url, image, ...links.map(link => link.url)])
                if (address !== undefined) expect(address).to.match(/^(?:https?:\/\/|mailto:)/i)
          } catch (err) {
            if (!(err instanceof InvalidPayload)) throw err
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('of 256 KiB take linear time', () => {
    const bodies = (bytes: number): Record<string, unknown>[] => {
      const filled = (one: object) =>
        Array.from({ length: Math.floor(bytes / JSON.stringify(one).length) }, () => one)
      const text = (words: string) => ({ type: 'text', text: words })
      return [
        ...['<', '|-|\n', '`', '```\n', '@all ', '![', '# x\n', '* x\n'].map(piece => ({
          text: piece.repeat(bytes / piece.length),
        })),
        { blocks: filled({ type: 'divider' }) },
        { blocks: [{ type: 'section', fields: filled({ type: 'mrkdwn', text: '@all' }) }] },
        {
          blocks: [
            { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: filled(text('a')) }] },
          ],
        },
        { blocks: [{ type: 'rich_text', elements: filled({ type: 'rich_text_list', elements: [] }) }] },
        { attachments: filled({ text: 'x' }) },
        { attachments: [{ fields: filled({ title: 'a', value: 'b' }) }] },
        { attachments: [{ text: 'x', actions: filled({ text: 'a', url: 'https://a.example' }) }] },
      ]
    }
    const timeOf = (bytes: number) => {
      const started = performance.now()
      for (const body of bodies(bytes)) message(body)
      return performance.now() - started
    }
    timeOf(4_096)
    const ratios = Array.from({ length: 3 }, () => timeOf(256 * 1_024) / Math.max(timeOf(32 * 1_024), 1))
    expect(Math.min(...ratios)).to.be.below(24)
  })
})
