import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect } from 'chai'
import { Pace, paced } from './pace.ts'

describe('the pace of a backup', () => {
  it('changes no byte, and keeps the order', async () => {
    const chunks = Array.from({ length: 200 }, () => randomBytes(1_000))
    expect((await buffer(paced(Readable.from(chunks), 0.5))).equals(Buffer.concat(chunks))).to.equal(true)
  })

  it('rests three times as long as it works at a quarter', async () => {
    // Each chunk takes 10 ms, by a clock that the rests do not move.
    let clock = 0
    const pace = new Pace(0.25, () => clock)
    const began = performance.now()
    for (let i = 0; i < 10; i++) {
      clock += 10
      pace.write(Buffer.alloc(1))
      await once(pace, 'data')
    }
    pace.destroy()
    // Timers end up to a millisecond early.
    expect(performance.now() - began).to.be.at.least(10 * 29)
  })

  it('ends with the fault of its source, and ends its source', async () => {
    const failing = new Readable({
      read() {
        this.destroy(new Error('connection lost'))
      },
    })
    const fault = await buffer(paced(failing, 0.5)).then(
      () => 'none',
      (err: Error) => err.message,
    )
    expect(fault).to.equal('connection lost')
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(100))
      },
    })
    const pace = paced(endless, 0.5)
    const closed = new Promise(done => endless.once('close', done))
    pace.destroy()
    await closed
  })
})
