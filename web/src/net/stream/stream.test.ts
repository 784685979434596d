import { expect } from 'chai'
import { Page } from './stream.fixture.ts'

/** A proxy holds the content of the stream back: the client polls. */
async function heldBack(page: Page) {
  await page.pass(4_000)
  expect(page.stream.state).to.equal('trial')
}

describe('the supervisor of the stream', () => {
  let page: Page
  beforeEach(() => {
    page = new Page()
  })

  describe('opening', () => {
    it('is live with the first frame, not before: a proxy may hold the content back', () => {
      expect(page.stream.state).to.equal('opening')
      page.last.frame()
      expect(page.stream.state).to.equal('live')
      expect(page.backs).to.equal(1)
      expect(page.applied).to.deep.equal(['frame'])
    })

    it('polls after 4 seconds without a frame if the server responds to requests', async () => {
      await heldBack(page)
      expect(page.polls).to.equal(1)
      expect(page.connection.value).to.equal('up')
    })

    it('opens again after 20 seconds if nothing responds', async () => {
      page.unread = undefined
      await page.pass(20_000)
      expect(page.opened).to.have.length(1)
      await page.pass(1_000)
      expect(page.opened).to.have.length(2)
      expect(page.opened[0]!.isClosed).to.equal(true)
    })
  })

  describe('live', () => {
    beforeEach(() => page.last.frame())

    it('opens the stream again 3 seconds after it broke, and reports nothing to the user', async () => {
      page.last.breaks()
      expect(page.stream.state).to.equal('waiting')
      expect(page.opened[0]!.isClosed).to.equal(true)
      await page.pass(2_999)
      expect(page.opened).to.have.length(1)
      await page.pass(1)
      page.last.frame()
      expect(page.stream.state).to.equal('live')
      expect(page.connection.value).to.equal('up')
      expect(page.backs).to.equal(2)
    })

    it('follows another channel with a new stream, and drops late frames of the old one', () => {
      page.followed = 'random'
      page.stream.follow()
      expect(page.last.channel).to.equal('random')
      page.opened[0]!.frame('late')
      page.opened[0]!.breaks()
      page.last.frame('current')
      expect(page.applied).to.deep.equal(['frame', 'current'])
      expect(page.stream.state).to.equal('live')
    })

    it('keeps the stream while the same channel is followed', () => {
      page.stream.follow()
      expect(page.opened).to.have.length(1)
    })

    it('after 45 seconds of silence compares the unread count, and keeps a stream that knows it', async () => {
      await page.pass(46_000)
      await page.pass(5_000)
      expect(page.opened).to.have.length(1)
    })

    it('replaces a silent stream whose unread count stays behind the server', async () => {
      page.unread = 3
      await page.pass(46_000)
      expect(page.opened).to.have.length(1)
      await page.pass(2_500)
      expect(page.opened).to.have.length(2)
    })

    it('gives the frame with the new count time to arrive', async () => {
      page.unread = 3
      await page.pass(46_000)
      page.streamUnread = 3
      await page.pass(5_000)
      expect(page.opened).to.have.length(1)
    })

    it('replaces a silent stream at once if the server does not respond', async () => {
      page.unread = undefined
      await page.pass(46_000)
      expect(page.opened).to.have.length(2)
    })

    it('leaves a silent stream alone while the tab is hidden', async () => {
      page.isHidden = true
      page.unread = 3
      await page.pass(120_000)
      expect(page.opened).to.have.length(1)
    })

    it('replaces a stream that is older than any server lets it become', async () => {
      page.isHidden = true
      await page.pass(375_000)
      expect(page.opened).to.have.length(1)
      await page.pass(1_000)
      expect(page.opened).to.have.length(2)
    })

    it('opens a new stream when the machine has slept', async () => {
      page.clock.sleep(30_000)
      await page.pass(1_000)
      expect(page.opened).to.have.length(2)
      expect(page.expired).to.equal(0)
    })

    it('reloads all rows after an absence longer than the server remembers removals', async () => {
      page.clock.sleep(21 * 3_600_000)
      await page.pass(1_000)
      expect(page.expired).to.equal(1)
    })

    it('opens a new stream for a delta that does not match, at most once in ten seconds', async () => {
      page.stream.reload()
      await page.pass(0)
      expect(page.opened).to.have.length(2)
      page.stream.reload()
      await page.pass(9_999)
      expect(page.opened).to.have.length(2)
      await page.pass(1)
      expect(page.opened).to.have.length(3)
    })

    it('opens a new stream when a frame is missing', () => {
      page.stream.refresh()
      expect(page.opened).to.have.length(2)
    })
  })

  describe('without a server', () => {
    it('backs off: 1, 2, 4, 8 and then 15 seconds between refused streams', async () => {
      for (const pause of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
        const before = page.opened.length
        await page.last.refuse(503)
        expect(page.stream.state).to.equal('waiting')
        await page.pass(pause - 1)
        expect(page.opened).to.have.length(before)
        await page.pass(1)
        expect(page.opened).to.have.length(before + 1)
      }
    })

    it('shows the loss after 4 seconds, and tells of it once after 30', async () => {
      page.last.frame()
      page.unread = undefined
      page.last.breaks()
      await page.pass(4_000)
      expect(page.connection.value).to.equal('up')
      await page.pass(1_000)
      expect(page.connection.value).to.equal('lost')
      await page.pass(60_000)
      expect(page.connection.value).to.equal('dead')
      expect(page.reports).to.deep.equal(['connection-lost'])
      page.last.frame()
      expect(page.connection.value).to.equal('up')
    })

    it('tries at once when the tab is visible again or the user asks for it', async () => {
      await page.last.refuse(503)
      page.stream.wake()
      expect(page.opened).to.have.length(2)
      await page.last.refuse(503)
      page.stream.reopen()
      expect(page.opened).to.have.length(3)
    })
  })

  describe('polling', () => {
    it('requests a round every 3 seconds, every 15 in a hidden tab', async () => {
      await heldBack(page)
      await page.pass(3_000)
      expect(page.polls).to.equal(2)
      page.isHidden = true
      await page.pass(3_000)
      expect(page.polls).to.equal(3)
      await page.pass(14_999)
      expect(page.polls).to.equal(3)
      await page.pass(1)
      expect(page.polls).to.equal(4)
    })

    it('gives a silent stream 10 seconds, and tries the next ones after 15, 30, 60 and 120', async () => {
      await heldBack(page)
      for (const pause of [15_000, 30_000, 60_000, 120_000, 120_000]) {
        const before = page.opened.length
        while (page.stream.state === 'trial') await page.pass(1_000)
        expect(page.stream.state).to.equal('polling')
        expect(page.last.isClosed).to.equal(true)
        await page.pass(pause - 1_000)
        expect(page.opened).to.have.length(before)
        await page.pass(1_000)
        expect(page.opened).to.have.length(before + 1)
      }
    })

    it('ends with the first frame of a stream', async () => {
      await heldBack(page)
      page.last.frame()
      expect(page.stream.state).to.equal('live')
      await page.pass(60_000)
      expect(page.polls).to.equal(1)
    })

    it('requests a round at once for another channel, and opens no stream for it', async () => {
      await heldBack(page)
      await page.pass(8_000)
      expect(page.stream.state).to.equal('polling')
      const { polls } = page
      page.followed = 'random'
      page.stream.follow()
      expect(page.polls).to.equal(polls + 1)
      expect(page.opened).to.have.length(1)
    })

    it('shows the loss of the server, and that it is back', async () => {
      await heldBack(page)
      const { backs } = page
      page.unread = undefined
      await page.pass(10_000)
      expect(page.connection.value).to.equal('lost')
      page.unread = 0
      await page.pass(3_000)
      expect(page.connection.value).to.equal('up')
      expect(page.backs).to.equal(backs + 1)
    })

    it('replaces a stream that is refused for too many tabs, which is shown', async () => {
      await page.last.refuse(429)
      expect(page.stream.state).to.equal('polling')
      expect(page.connection.value).to.equal('crowded')
      await page.pass(10_000)
      expect(page.opened).to.have.length(2)
      page.last.frame()
      expect(page.connection.value).to.equal('up')
    })
  })

  it('ends with the session: no stream, no polling, no report', async () => {
    await heldBack(page)
    page.hasSession = false
    await page.last.refuse(401)
    expect(page.stream.state).to.equal('ended')
    const { polls } = page
    await page.pass(120_000)
    page.stream.reopen()
    expect(page.opened).to.have.length(1)
    expect(page.polls).to.be.at.most(polls + 1)
    expect(page.reports).to.deep.equal([])
  })
})
