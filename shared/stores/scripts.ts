import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import type { Seconds } from '#shared/rules/units.ts'

/** The atomic steps in scripts/*.lua, as typed functions; each file opens with its contract. */
export interface Scripts {
  claimStreamSlot(key: string, stream: string, now: Seconds, lasts: Seconds, slots: number): Promise<boolean>
}

type Command = (...args: (string | number)[]) => Promise<number>

export function loadScripts(redis: Redis): Scripts {
  redis.defineCommand('claimStreamSlot', { numberOfKeys: 1, lua: source('claim-stream-slot') })
  const commands = redis as unknown as Record<'claimStreamSlot', Command>
  return {
    claimStreamSlot: async (...args) => (await commands.claimStreamSlot(...args)) === 1,
  }
}

function source(name: string) {
  return readFileSync(join(import.meta.dirname, 'scripts', `${name}.lua`), 'utf8')
}
