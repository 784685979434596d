import { REACTION_EMOJI } from '#shared/domain/reaction-table.ts'

let shipped: Promise<ReadonlySet<string>> | undefined

/** Names of Unicode emoji in the picker (web/emoji-table.ts). Read once, when somebody first adds an emoji. */
export async function isShippedName(name: string): Promise<boolean> {
  shipped ??= readNames()
  return REACTION_EMOJI.has(name) || (await shipped).has(name)
}

async function readNames(): Promise<ReadonlySet<string>> {
  const json = { with: { type: 'json' } } as const
  const [{ default: shortcodes }, { default: entries }] = await Promise.all([
    import('emojibase-data/en/shortcodes/github.json', json),
    import('emojibase-data/en/compact.json', json),
  ])
  const labels = (entries as { label: string }[]).map(({ label }) => nameOf(label))
  return new Set([...Object.values(shortcodes as Record<string, string | string[]>).flat(), ...labels])
}

/** As in web/src/features/channel/emoji/table.ts. */
const nameOf = (label: string) => label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
