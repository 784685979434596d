import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect } from 'chai'
import { BusyShare } from './busy-share.ts'

describe('busy time of the event loop', () => {
  function loop() {
    let busy = 0
    const shares = new BusyShare(() => busy)
    return {
      work: (milliseconds: number) => {
        busy += milliseconds
      },
      request(complete = true) {
        const req = Object.assign(new EventEmitter(), { complete })
        const res = Object.assign(new EventEmitter(), { hasRoom: true, write: () => res.hasRoom })
        const share = shares.measure(req as unknown as IncomingMessage, res as unknown as ServerResponse)
        return { req, res, share }
      },
    }
  }

  it('is charged to a request that is alone, and to nobody while there is none', () => {
    const { work, request } = loop()
    work(100)
    const one = request()
    work(30)
    expect(one.share()).to.equal(30)
    one.res.emit('prefinish')
    work(50)
    one.res.emit('close')
    expect(one.share()).to.equal(30)
    const next = request()
    work(5)
    expect([one.share(), next.share()]).to.deep.equal([30, 5])
  })

  it('is divided among the requests at work, and adds up', () => {
    const { work, request } = loop()
    const one = request()
    work(10)
    const two = request()
    work(20)
    one.res.emit('prefinish')
    work(7)
    expect([one.share(), two.share()]).to.deep.equal([20, 17])
  })

  it('is not charged while a request waits for its client', () => {
    const { work, request } = loop()
    const upload = request(false)
    work(40)
    upload.req.emit('end')
    work(3)
    expect(upload.share()).to.equal(3)
    upload.res.hasRoom = false
    upload.res.write()
    work(500)
    expect(upload.share()).to.equal(3)
    upload.res.emit('drain')
    work(2)
    upload.res.emit('close')
    upload.res.emit('drain')
    work(9)
    expect(upload.share()).to.equal(5)
  })
})
