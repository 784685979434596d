/** A process that listens as the services do, and accepts nothing once told to be busy. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listener } from './lifecycle.ts'

const server = createServer()
await listener(server, 0, '127.0.0.1').start?.()
process.send!((server.address() as AddressInfo).port)
process.once('message', () => {
  process.send!('busy', () => {
    // Longer than the test lasts: it kills this process.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
})
