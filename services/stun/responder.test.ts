import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { Allowance } from './allowance.ts'
import { localNetwork } from './local-network.ts'
import { answerTo, readBindingRequest } from './message.ts'

const REQUEST = Buffer.from('000100002112a442b7e7a701bc34d686fa87dfae', 'hex')
const SILENCE = 300
/** Clients retransmit (RFC 8489, 6.2.1): a packet may be lost, or wait for a busy machine. */
const ASKED_AGAIN = 500

/** Sends a request from a new socket; returns the actual and the expected response. */
async function ask(port: number, { host = '127.0.0.1', request = REQUEST, within = 10_000 } = {}) {
  let again: ReturnType<typeof setInterval> | undefined
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  try {
    socket.bind()
    await once(socket, 'listening')
    const send = () => socket.send(request, port, host)
    send()
    again = setInterval(send, ASKED_AGAIN)
    const answer = once(socket, 'message', { signal: AbortSignal.timeout(within) })
    const [reply] = (await answer.catch(() => [undefined])) as [Buffer | undefined]
    return { reply, expected: answerTo(readBindingRequest(REQUEST)!, host, socket.address().port) }
  } finally {
    clearInterval(again)
    socket.close()
  }
}

async function freeUdpPort() {
  const socket = createSocket('udp4')
  socket.bind(0)
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  return port
}

describe('the STUN responder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bothy-stun-'))
  const settingsFile = join(folder, 'settings.json')
  const env = { SETTINGS_FILE: settingsFile, LOG_LEVEL: 'info' }
  let port: number
  let service: RunningService | undefined

  beforeEach(async () => {
    port = await freeUdpPort()
    writeFileSync(settingsFile, JSON.stringify({ stun_port: port }))
  })

  afterEach(async () => {
    await service?.stop()
    service = undefined
  })

  after(() => rmSync(folder, { recursive: true }))

  it('answers over IPv4 and IPv6 at the port of the settings (interface 8)', async () => {
    service = await startService('stun', env)
    const v4 = await ask(port)
    expect(v4.reply).to.deep.equal(v4.expected)
    const hasIpv6 = Object.values(networkInterfaces()).some(all => all?.some(one => one.address === '::1'))
    if (!hasIpv6) return
    const v6 = await ask(port, { host: '::1' })
    expect(v6.reply).to.deep.equal(v6.expected)
  })

  it('moves to another port with the setting', async () => {
    service = await startService('stun', env)
    const other = await freeUdpPort()
    writeFileSync(settingsFile, JSON.stringify({ stun_port: other }))
    await eventually(async () =>
      expect((await ask(other, { within: SILENCE })).reply).not.to.equal(undefined),
    )
    expect((await ask(port, { within: SILENCE })).reply).to.equal(undefined)
  })

  it('takes its port from STUN_PORT if set', async () => {
    const other = await freeUdpPort()
    service = await startService('stun', { ...env, STUN_PORT: String(other) })
    const { reply, expected } = await ask(other)
    expect(reply).to.deep.equal(expected)
  })

  it('ignores malformed datagrams, and keeps serving', async () => {
    service = await startService('stun', env)
    for (const junk of [
      Buffer.alloc(0),
      Buffer.alloc(20, 0xff),
      Buffer.alloc(1_400),
      REQUEST.subarray(0, 12),
    ]) {
      expect((await ask(port, { request: junk, within: SILENCE })).reply).to.equal(undefined)
    }
    expect((await ask(port)).reply).not.to.equal(undefined)
  })

  it('answers from several processes on one port, even after one has crashed', async () => {
    service = await startService('stun', { ...env, STUN_WORKERS: '2' })
    // Two sockets each, opened by the first process for all.
    await eventually(() => expect(service!.output().match(/"listening \(UDP\)"/g)?.length).to.be.at.least(2))
    const answered = async () => {
      const all = await Promise.all(Array.from({ length: 20 }, () => ask(port)))
      for (const { reply, expected } of all) expect(reply).to.deep.equal(expected)
    }
    await answered()
    process.kill(Number(/"pid":(\d+)/.exec(service.output())![1]), 'SIGKILL')
    await eventually(() => expect(service!.output()).to.include('worker ended'))
    await answered()
    expect(await service.stop()).to.equal(0)
  })

  it('stays ready while another process has its port, and takes it later', async () => {
    const neighbour = createSocket('udp4')
    neighbour.bind(port, '0.0.0.0')
    await once(neighbour, 'listening')
    try {
      service = await startService('stun', env)
      expect(service.output()).to.include('UDP port is taken')
      expect((await fetch(`${service.url}/readyz`)).status).to.equal(200)
    } finally {
      neighbour.close()
    }
    // The next retry is half a minute away; a changed settings file causes one at once.
    writeFileSync(settingsFile, JSON.stringify({ stun_port: port, channels: ['general'] }))
    await eventually(async () => expect((await ask(port, { within: SILENCE })).reply).not.to.equal(undefined))
  })

  it('limits responses per address', async () => {
    writeFileSync(settingsFile, JSON.stringify({ stun_port: port, rate_limits: { anonymous: [3, 600] } }))
    service = await startService('stun', env)
    const replies = []
    for (let i = 0; i < 5; i++) replies.push((await ask(port, { within: SILENCE })).reply !== undefined)
    expect(replies).to.deep.equal([true, true, true, false, false])
  })

  it('stops at once, with exit code 0', async () => {
    service = await startService('stun', env)
    expect(await service.stop()).to.equal(0)
    const socket = createSocket('udp4')
    socket.bind(port, '0.0.0.0')
    await once(socket, 'listening')
    socket.close()
  })
})

describe('an allowance', () => {
  it('refills over time, up to its size', () => {
    const allowance = new Allowance()
    const take = (now: number, times: number) =>
      Array.from({ length: times }, () => allowance.take('192.0.2.1', [2, 10], now))
    expect(take(0, 3)).to.deep.equal([true, true, false])
    expect(take(4_999, 1)).to.deep.equal([false])
    expect(take(5_000, 2)).to.deep.equal([true, false])
    expect(take(1_000_000, 3)).to.deep.equal([true, true, false])
  })

  it('is shared by an IPv6 /64, and separate for each IPv4 address', () => {
    const allowance = new Allowance()
    const take = (address: string) => allowance.take(address, [1, 10], 0)
    expect(take('2001:db8::1')).to.equal(true)
    expect(take('2001:db8::ffff:2')).to.equal(false)
    expect(take('2001:db8:0:1::1')).to.equal(true)
    expect([take('192.0.2.1'), take('192.0.2.2'), take('192.0.2.1')]).to.deep.equal([true, true, false])
  })

  it('remembers a bounded number of neighbours, also with forged addresses', () => {
    const allowance = new Allowance()
    for (let i = 0; i < 30_000; i++) allowance.take(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, [1, 10], i)
    expect(allowance.size).to.equal(10_000)
  })
})

describe('the local network', () => {
  it('is made of private ranges and the subnets of this machine', () => {
    const isLocal = localNetwork({
      eth0: [{ cidr: '203.0.113.7/24' }, { cidr: '2001:db8:1::7/64' }],
    } as unknown as ReturnType<typeof networkInterfaces>)
    const local = ['127.0.0.1', '192.168.7.9', '10.1.2.3', '172.31.0.1', '100.100.1.1', '::1', 'fe80::1%eth0']
    for (const address of [...local, 'fd00::1', '203.0.113.99', '2001:db8:1::99']) {
      expect(isLocal(address), address).to.equal(true)
    }
    for (const address of ['203.0.114.1', '8.8.8.8', '172.32.0.1', '2001:db8:2::1', '2606:4700::1111']) {
      expect(isLocal(address), address).to.equal(false)
    }
  })
})
