import { ErrorCode, LogLevel, WebClient, WebClientEvent } from '@slack/web-api'
import { expect } from 'chai'
import type { InboxPayload } from '#shared/domain/payloads/inbox.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** Slack's own client, which knows nothing of this server but its address. */
describe("A7: Slack's Web API to @slack/web-api (interface 19.8)", () => {
  let world: World
  let slack: WebClient
  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'design'] } })
    const response = await world.ada.postJson('/bots', { username: 'bell' })
    const { token } = (await response.json()) as { token: string }
    slack = clientOf(token)
  })
  after(() => world.end())

  const clientOf = (token: string) =>
    new WebClient(token, {
      slackApiUrl: `${world.ada.at}/api/`,
      logLevel: LogLevel.ERROR,
      retryConfig: { retries: 2, minTimeout: 10 },
    })
  const channel = 'general'
  const row = async (ts: string) => {
    const rows = await world.bob.get<MessagePayload[]>('/messages/general?extra=1')
    return rows.find(message => message.ts.toFixed(6) === ts)
  }
  const errorOf = async (work: Promise<unknown>) => {
    const thrown = await work.then(
      () => undefined,
      (err: { code?: string; data?: { error?: string } }) => err,
    )
    expect(thrown?.code).to.equal(ErrorCode.PlatformError)
    return thrown?.data?.error
  }

  it('posts, replies, changes, reacts, reads and deletes', async () => {
    expect((await slack.auth.test()).user_id).to.equal('bell')
    const { ts } = await slack.chat.postMessage({
      channel: '#general',
      text: 'plain',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Build 7' } },
        { type: 'section', text: { type: 'mrkdwn', text: 'passed in *3 s*' } },
      ],
    })
    expect((await row(ts!))?.content)
      .to.include('Build 7')
      .and.include('passed in')
    const reply = await slack.chat.postMessage({ channel, text: 'deployed', thread_ts: ts! })
    const { messages } = await slack.conversations.replies({ channel, ts: ts! })
    expect(messages?.map(one => [one.user, one.thread_ts])).to.deep.equal([
      ['bell', ts],
      ['bell', ts],
    ])
    expect(messages?.[1]?.ts).to.equal(reply.ts)
    await slack.chat.update({ channel, ts: ts!, text: 'Build 7 failed' })
    expect(await row(ts!)).to.include({ content: 'Build 7 failed', edited: 1 })
    await slack.reactions.add({ channel, timestamp: ts!, name: 'eyes' })
    const { messages: history } = await slack.conversations.history({ channel, limit: 5 })
    expect(history?.find(one => one.ts === ts)?.reactions).to.deep.equal([
      { name: 'eyes', users: ['bell'], count: 1 },
    ])
    await slack.chat.delete({ channel, ts: ts! })
    expect((await row(ts!))?.deleted).to.equal(1)
  })

  it('uploads files, in a thread and alone', async () => {
    const { ts } = await slack.chat.postMessage({ channel, text: 'build' })
    const log = Buffer.from('a line of the log\n'.repeat(1_000))
    const inThread = await slack.filesUploadV2({
      ...{ channel_id: channel, thread_ts: ts!, initial_comment: 'The log' },
      file_uploads: [
        { file: log, filename: 'build.log' },
        { content: 'passed', filename: 'summary.txt', title: 'Summary' },
      ],
    })
    expect(inThread.ok).to.equal(true)
    const rows = (await world.bob.get<MessagePayload[]>('/messages/general?extra=1')).slice(-3)
    expect(rows.map(({ content, extra }) => extra?.file?.name ?? content)).to.deep.equal([
      'The log',
      'build.log',
      'summary.txt',
    ])
    const root = await row(ts!)
    expect(rows.map(({ reply_to_id }) => reply_to_id)).to.deep.equal([root?.id, root?.id, root?.id])
    const file = await world.bob.fetch(`/files/${rows[1]!.filename}`)
    expect(Buffer.from(await file.arrayBuffer()).equals(log)).to.equal(true)
    const alone = await slack.filesUploadV2({ channel_id: channel, file: log, filename: 'alone.log' })
    expect(alone.ok).to.equal(true)
    const nowhere = slack.filesUploadV2({ channel_id: 'nowhere', file: log, filename: 'lost.log' })
    expect(await errorOf(nowhere)).to.equal('channel_not_found')
  })

  it('lists channels and people by cursor', async () => {
    const names: (string | undefined)[] = []
    for await (const page of slack.paginate('conversations.list', { limit: 1 }))
      names.push(...(page as unknown as { channels: { id: string }[] }).channels.map(({ id }) => id))
    expect(names).to.have.members(['general', 'design'])
    const people: string[] = []
    for await (const page of slack.paginate('users.list', { limit: 2 }))
      people.push(...(page as unknown as { members: { id: string }[] }).members.map(({ id }) => id))
    expect(people).to.deep.equal(['ada', 'bell', 'bob', 'cleo', 'mallory'])
  })

  it('sends a text to one person alone', async () => {
    const { message_ts } = await slack.chat.postEphemeral({ channel, user: 'bob', text: 'Only for you' })
    const { items } = await world.bob.get<InboxPayload>('/inbox?kind=command')
    expect(items.map(({ actors, content, ts }) => [actors, content, ts.toFixed(6)])).to.deep.equal([
      [['bell'], 'Only for you', message_ts],
    ])
    expect(await row(message_ts!)).to.equal(undefined)
    expect(await errorOf(slack.chat.postEphemeral({ channel, user: 'nobody', text: 'x' }))).to.equal(
      'user_not_found',
    )
  })

  it('gets the errors that it knows', async () => {
    expect(await errorOf(slack.apiCall('no.such'))).to.equal('unknown_method')
    expect(await errorOf(slack.chat.postMessage({ channel: 'nowhere', text: 'x' }))).to.equal(
      'channel_not_found',
    )
    expect(await errorOf(clientOf('xoxb-1').auth.test())).to.equal('invalid_auth')
  })

  it('waits as long as a limit says, and posts then', async () => {
    const limit = (token: [number, number]) =>
      world.backing.settings({
        ...{ channels: ['general', 'design'], rate_limit_enabled: true },
        rate_limits: { token },
      })
    limit([1, 1])
    try {
      const refused: number[] = []
      const waiting = clientOf(slack.token!)
      waiting.on(WebClientEvent.RATE_LIMITED, (seconds: number) => refused.push(seconds))
      await eventually(async () => {
        await Promise.all([1, 2, 3].map(at => waiting.chat.postMessage({ channel, text: `limited ${at}` })))
        expect(refused).to.not.have.length(0)
      }, 30_000)
      const texts = (await world.bob.messages(channel)).map(({ content }) => content)
      expect(texts).to.include.members(['limited 1', 'limited 2', 'limited 3'])
    } finally {
      limit([600, 60])
    }
  })
})
