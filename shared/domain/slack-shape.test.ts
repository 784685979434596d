import { expect } from 'chai'
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
  ]
  for (const [from, to] of cases)
    it(`${JSON.stringify(from)} is ${JSON.stringify(to)}`, () => expect(fromMrkdwn(from, false)).to.equal(to))

  it('tells everyone only with the right', () => {
    expect(fromMrkdwn('<!here> @channel', true)).to.equal('@everyone @everyone')
  })

  it('takes linear time for hostile texts', () => {
    const started = performance.now()
    for (const piece of ['<', '`', '```', '@all', '#', '![', '&amp;', '<!date^', '# ', '# \t', ' * '])
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
