import cluster from 'node:cluster'
import { readStunConfig } from '#shared/runtime/config.ts'
import { Health, healthServer } from '#shared/runtime/health.ts'
import { listener, orExit, type Part, run } from '#shared/runtime/lifecycle.ts'
import { metrics } from '#shared/runtime/metrics.ts'
import { SettingsFile } from '#shared/runtime/settings.ts'
import { Responder } from './responder.ts'
import { endWithPrimary, Workers } from './workers.ts'

const config = await orExit(readStunConfig)

if (cluster.isPrimary) {
  // Ready even while the UDP port is taken: see Responder.start().
  const health = new Health()
  await run([
    config.workers > 1 ? workers() : responder(),
    listener(healthServer(health), config.port),
    metrics(health),
    { name: 'health', stop: () => health.drain() },
  ])
} else {
  endWithPrimary()
  await run([responder()])
}

function workers(): Part {
  const workers = new Workers(config.workers)
  return { name: 'workers', start: () => workers.start(), stop: () => workers.stop() }
}

function responder(): Part {
  const settings = new SettingsFile(config.settingsFile)
  const responder = new Responder({
    bind: config.bind,
    port: () => config.udpPort ?? settings.current.stun_port,
    limits: () => settings.current,
  })
  const leave = settings.onChange(() => void responder.refresh())
  return {
    name: 'responder',
    start: () => responder.start(),
    stop: async () => {
      leave()
      settings.stop()
      await responder.stop()
    },
  }
}
