import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'

/** The atomic operations in scripts/*.lua as typed functions; each file begins with its contract. */
export interface Scripts {
  takeTokens(limits: readonly TokenLimit[]): Promise<Taken>
  claimStreamSlot(key: string, stream: string, now: Seconds, lasts: Seconds, slots: number): Promise<boolean>
  keepCard(
    keys: readonly [order: string, card: string, picture: string],
    id: string,
    card: string,
    picture: { id: string; bytes: Buffer | string },
    lives: Seconds,
    kept: number,
    prefixes: readonly [card: string, picture: string],
  ): Promise<unknown>
}

export interface TokenLimit {
  key: string
  tokens: number
  count: number
  seconds: Seconds
}

/** `wait`: 0, or nothing is taken and the exceeded limit resets after it. `windows`: one of each limit. */
export interface Taken {
  wait: Milliseconds
  windows: readonly { taken: number; left: Milliseconds }[]
}

type Command = (...args: (string | number | Buffer)[]) => Promise<number>

export function loadScripts(redis: Redis): Scripts {
  redis.defineCommand('claimStreamSlot', { numberOfKeys: 1, lua: source('claim-stream-slot') })
  redis.defineCommand('takeTokens', { lua: source('take-tokens') })
  redis.defineCommand('keepCard', { numberOfKeys: 3, lua: source('keep-card') })
  const commands = redis as unknown as Record<keyof Scripts, Command>
  return {
    takeTokens: async limits => {
      const [wait, ...numbers] = (await (commands.takeTokens as (...args: unknown[]) => Promise<unknown>)(
        limits.length,
        ...limits.map(({ key }) => key),
        ...limits.flatMap(({ tokens, count, seconds }) => [tokens, count, seconds]),
      )) as [number, ...number[]]
      return { wait, windows: limits.map((_, i) => ({ taken: numbers[2 * i]!, left: numbers[2 * i + 1]! })) }
    },
    claimStreamSlot: async (...args) => (await commands.claimStreamSlot(...args)) === 1,
    keepCard: (keys, id, card, picture, lives, kept, prefixes) =>
      commands.keepCard(...keys, id, card, picture.id, picture.bytes, lives, kept, ...prefixes),
  }
}

function source(name: string) {
  return readFileSync(join(import.meta.dirname, 'scripts', `${name}.lua`), 'utf8')
}
