import { expect } from 'chai'
import { notSent } from '../../store/channels/channel-pending.ts'
import { row } from '../../store/messages/rows.fixture.ts'
import { settled } from '../requests/clock.fixture.ts'
import { Device } from './outbox.fixture.ts'

const stored = (id: number, content: string) => row(id, { content })

describe('the outbox', () => {
  let device: Device
  let tab: ReturnType<Device['tab']>
  beforeEach(async () => {
    notSent.value = new Set()
    device = new Device()
    tab = device.tab()
    await settled()
  })

  describe('sends', () => {
    it('a message at once; the response makes it sent and deletes its record, the frame replaces it', async () => {
      await tab.say('hello')
      expect(tab.states()).to.equal('hello sending')
      expect([...device.records.keys()]).to.deep.equal(['key 1'])
      await device.last().store(7)
      expect(tab.states()).to.equal('hello sent')
      expect(device.records.size).to.equal(0)
      tab.frame(stored(7, 'hello'))
      expect(tab.states()).to.equal('')
      expect(tab.general.keys.get(7)).to.equal('key 1')
    })

    it('the messages of a channel in order, one at a time', async () => {
      await tab.say('one')
      await tab.say('two')
      expect(device.sent()).to.equal('one')
      await device.last().store(1)
      expect(device.sent()).to.equal('one two')
    })

    it('the text first, then each image by itself', async () => {
      await tab.say('look', [new File(['x'], 'cat.png')])
      await device.last().store(1)
      device.last().underway.onProgress(0.5)
      expect(tab.outbox.uploads.value.get('key 2')).to.equal(0.5)
      await device.last().store(2)
      expect(tab.outbox.uploads.value.size).to.equal(0)
      expect(device.reports).to.deep.equal(['upload-finished'])
    })

    it('files of a reply to the same message, which name the first one', async () => {
      const files = [new File(['x'], 'cat.png'), new File(['x'], 'dog.png')]
      tab.outbox.send(tab.general, { text: 'both', replyTo: 5, files })
      const sent = tab.general.pending.peek()
      expect(sent.map(one => [one.replyTo, one.row.reply_to_id, one.partOf])).to.deep.equal([
        [5, 5, undefined],
        [5, 5, 'key 1'],
        [5, 5, 'key 1'],
      ])
      tab.outbox.send(tab.general, { text: '', files })
      expect(tab.general.pending.peek().at(-1)?.partOf, 'no reply').to.equal(undefined)
    })

    it('what was written in the composer of a channel, and names that channel in every row', async () => {
      tab.outbox.send(tab.general, { text: 'a', composedFor: 'design', files: [new File(['x'], 'cat.png')] })
      tab.outbox.send(tab.general, { text: 'b', files: [] })
      await settled()
      const channels = ['design', 'design', 'general']
      expect(tab.general.pending.peek().map(one => one.composedFor)).to.deep.equal(channels)
      expect([...device.records.values()].map(one => one.composedFor)).to.deep.equal(channels)
    })

    it('a text while a large file is still uploading, and the message of the file after its bytes', async () => {
      await tab.say('', [new File(['x'], 'large.bin')])
      await tab.say('meanwhile')
      expect(device.requests.map(({ key }) => key)).to.deep.equal(['key 1', 'key 2'])
      await device.requests[1]!.store(7)
      expect(tab.states()).to.equal('large.bin sending, meanwhile sent')
      await device.requests[0]!.fail(503)
      await device.clock.pass(1_000)
      await device.requests[2]!.store(0)
      expect(device.requests.map(({ key }) => key)).to.deep.equal(['key 1', 'key 2', 'key 1', 'key 1'])
      await device.last().store(8)
      expect(tab.states()).to.equal('large.bin sent, meanwhile sent')
    })

    it('a large file with the progress that it had when it broke off, and a small one anew', async () => {
      await tab.say('', [new File(['x'], 'large.bin')])
      device.last().underway.onProgress(0.6)
      await device.last().fail(503)
      expect([...tab.outbox.uploads.value]).to.deep.equal([['key 1', 0.6]])
      tab.outbox.giveUp(tab.general, 'key 1')
      expect(tab.outbox.uploads.value.size).to.equal(0)
      await tab.say('', [new File(['x'], 'cat.png')])
      device.last().underway.onProgress(0.6)
      await device.last().fail(503)
      expect(tab.outbox.uploads.value.size).to.equal(0)
      await device.clock.pass(1_000)
      await device.last().store(9)
    })

    it('a message whose frame comes before the response only once', async () => {
      await tab.say('hello')
      tab.frame(stored(7, 'hello'))
      expect(tab.states()).to.equal('')
      await device.last().store(7)
      expect(tab.states()).to.equal('')
      expect(device.records.size).to.equal(0)
      expect(device.requests).to.have.length(1)
    })
  })

  describe('retries', () => {
    it('with the same client_id after 1, 2, 4, 8 and then every 15 seconds while the server is away', async () => {
      await tab.say('hello')
      for (const pause of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
        const before = device.requests.length
        await device.last().fail(0)
        expect(tab.states()).to.equal('hello waiting')
        await device.clock.pass(pause - 1)
        expect(device.requests).to.have.length(before)
        await device.clock.pass(1)
        expect(device.requests).to.have.length(before + 1)
      }
      expect(new Set(device.requests.map(one => one.key)).size).to.equal(1)
    })

    it('no sooner than the server requests', async () => {
      await tab.say('hello')
      await device.last().fail(429, '', 6)
      await device.clock.pass(5_999)
      expect(device.requests).to.have.length(1)
      await device.clock.pass(1)
      expect(device.requests).to.have.length(2)
    })

    it('at once when the connection is back', async () => {
      await tab.say('hello')
      await device.last().fail(0)
      tab.outbox.resume()
      await settled()
      expect(device.requests).to.have.length(2)
    })

    it('a request without response after 20 seconds, an upload after 60 without progress', async () => {
      await tab.say('hello', [new File(['x'], 'cat.png')])
      await device.clock.pass(20_000)
      expect(tab.states()).to.equal('hello waiting, cat.png waiting')
      await device.clock.pass(1_000)
      await device.last().store(1)
      await device.clock.pass(59_000)
      device.last().underway.onProgress(0.5)
      await device.clock.pass(59_000)
      expect(device.last().underway.signal.aborted).to.equal(false)
      await device.clock.pass(1_000)
      expect(device.last().underway.signal.aborted).to.equal(true)
    })

    it('not after a frame has shown that the lost response was a success, beyond the next attempt', async () => {
      await tab.say('hello')
      await device.last().fail(0)
      tab.frame(stored(7, 'hello'))
      expect(tab.states()).to.equal('')
      await device.clock.pass(1_000)
      expect(device.requests.map(one => one.key)).to.deep.equal(['key 1', 'key 1'])
      await device.last().store(7)
      await device.clock.pass(60_000)
      expect(device.requests).to.have.length(2)
    })
  })

  describe('gives up', () => {
    it('on a refusal, tells the user, and goes on with the next message', async () => {
      await tab.say('too long')
      await tab.say('short')
      await device.last().fail(400, 'Too long.')
      expect(tab.states()).to.equal('too long failed, short sending')
      expect(tab.general.pending.value[0]!.reason).to.equal('Too long.')
      expect([...notSent.value]).to.deep.equal(['general'])
      expect(device.reports).to.deep.equal(['message-not-sent'])
      expect(device.records.get('key 1')!.state).to.equal('failed')
    })

    it('after four attempts on a message that makes the server fail', async () => {
      await tab.say('poison')
      for (const pause of [1_000, 2_000, 4_000]) {
        await device.last().fail(500)
        await device.clock.pass(pause)
      }
      expect(tab.states()).to.equal('poison sending')
      await device.last().fail(500)
      expect(tab.states()).to.equal('poison failed')
    })

    it('on a message older than 23 hours; the user may send it again', async () => {
      await tab.say('late')
      await device.last().fail(0)
      device.clock.sleep(23 * 3_600_000 + 1)
      tab.outbox.resume()
      await settled()
      expect(tab.states()).to.equal('late failed')
      tab.outbox.tryAgain(tab.general, 'key 1')
      await settled()
      expect(tab.states()).to.equal('late sending')
      expect(notSent.value.size).to.equal(0)
    })

    it('when the user deletes the message, and aborts its request', async () => {
      await tab.say('oops')
      tab.outbox.giveUp(tab.general, 'key 1')
      await settled()
      expect(device.last().underway.signal.aborted).to.equal(true)
      expect(tab.states()).to.equal('')
      expect(device.records.size).to.equal(0)
      await device.clock.pass(60_000)
      expect(device.requests).to.have.length(1)
      expect(device.discarded, 'a text leaves nothing on the server').to.deep.equal([])
    })

    it('of a file that the user cancels, also on the server', async () => {
      const file = new File(['x'], 'a.bin')
      tab.outbox.send(tab.general, { text: '', files: [file] })
      await settled()
      tab.outbox.giveUp(tab.general, 'key 1')
      expect(device.discarded).to.deep.equal(['key 1'])
    })

    it('of a picture, whose address it frees', async () => {
      const files = [new File(['x'], 'a.png', { type: 'image/png' }), new File(['x'], 'a.bin')]
      await tab.say('', files)
      for (const key of ['key 1', 'key 2']) tab.outbox.giveUp(tab.general, key)
      expect(device.revoked).to.deep.equal(['blob:a.png'])
    })

    it('and lists a message again that a frame with the same text had replaced', async () => {
      await tab.say('ok')
      tab.frame(stored(7, 'ok'))
      await device.last().fail(403)
      expect(tab.states()).to.equal('ok failed')
    })
  })

  it('stops when the session has ended, and keeps the messages on the device', async () => {
    await tab.say('hello')
    device.hasSession = false
    await device.last().fail(401)
    expect(tab.states()).to.equal('hello waiting')
    await device.clock.pass(120_000)
    expect(device.requests).to.have.length(1)
    expect(device.records.get('key 1')!.state).to.equal('waiting')
    expect(tab.outbox.isUnsafe()).to.equal(false)
  })

  it('reports a missing frame after 10 seconds, and lists the message for 10 seconds more', async () => {
    await tab.say('hello')
    await device.last().store(7)
    await device.clock.pass(9_999)
    expect(tab.missingFrames()).to.equal(0)
    await device.clock.pass(1)
    expect(tab.missingFrames()).to.equal(1)
    expect(tab.states()).to.equal('hello sent')
    await device.clock.pass(10_000)
    expect(tab.states()).to.equal('')
  })

  it('knows that closing the page loses messages where nothing can be stored', async () => {
    await tab.say('safe')
    expect(tab.outbox.isUnsafe()).to.equal(false)
    device.canStore = false
    await tab.say('unsafe')
    expect(tab.outbox.isUnsafe()).to.equal(true)
  })

  describe('of another tab', () => {
    it('takes over after a crash and sends with the same client_id', async () => {
      await tab.say('hello')
      const successor = new Device()
      successor.records.set('key 1', device.records.get('key 1')!)
      const other = successor.tab()
      await settled()
      expect(other.states()).to.equal('hello sending')
      expect(successor.last().key).to.equal('key 1')
    })

    it('finds a message stored whose response was lost with the tab, and asks the server once more', async () => {
      await tab.say('hello')
      const successor = new Device()
      successor.records.set('key 1', { ...device.records.get('key 1')!, tries: 1 })
      const other = successor.tab()
      other.frame(stored(7, 'hello'))
      await settled()
      expect(other.states()).to.equal('')
      await successor.last().store(7)
      expect(successor.records.size).to.equal(0)
    })

    it('waits for the lock, and does not send what the first has sent meanwhile', async () => {
      await tab.say('hello')
      const other = device.tab()
      await settled()
      expect(other.states()).to.equal('hello waiting')
      await device.last().store(7)
      await device.clock.pass(1_000)
      expect(device.requests).to.have.length(1)
      expect(other.states()).to.equal('hello sent')
    })

    it('sends what waits once the first is silent: its record is still there when the lock is free', async () => {
      await tab.say('hello')
      const other = device.tab()
      await settled()
      await device.last().fail(0)
      await settled()
      expect(device.requests.map(one => one.key)).to.deep.equal(['key 1', 'key 1'])
      expect(tab.states()).to.equal('hello waiting')
      expect(other.states()).to.equal('hello sending')
    })

    it('shows failures, retries and deletions of the first', async () => {
      await tab.say('hello')
      const other = device.tab()
      await settled()
      await device.last().fail(400, 'No.')
      expect(other.states()).to.equal('hello failed')
      tab.outbox.tryAgain(tab.general, 'key 1')
      await settled()
      expect(other.states()).to.match(/hello (waiting|sending)/)
      tab.outbox.giveUp(tab.general, 'key 1')
      await settled()
      expect(other.states()).to.equal('')
    })
  })
})
