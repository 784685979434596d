import { isInline, kindOfType } from '#shared/domain/file-types.ts'
import type { ChannelFilePayload } from '#shared/domain/payloads/files.ts'

/** Files of today, of earlier days of this month if there are some of today, or of a month. */
export type FilesAge = 'today' | 'earlier' | Date

export interface FilesGroup {
  age: FilesAge
  /** Neighbouring pictures together, other files alone: later pages change at most the last ones. */
  runs: FilesRun[]
}

export type FilesRun = { pictures: ChannelFilePayload[] } | { file: ChannelFilePayload }

/** The browser shows it in an `img`. */
export const isPicture = ({ type }: Pick<ChannelFilePayload, 'type'>) =>
  kindOfType(type) === 'image' && isInline(type)

/** Groups files that are listed newest first. Pure. */
export function filesByTime(files: readonly ChannelFilePayload[], now: Date): FilesGroup[] {
  const groups: FilesGroup[] = []
  const today = startOf(now, now.getDate())
  for (const file of files) {
    const date = new Date(file.ts * 1_000)
    const month = startOf(date, 1)
    const isToday = date >= today
    const isEarlier = !isToday && groups[0]?.age === 'today' && +month === +startOf(now, 1)
    const age = isToday ? 'today' : isEarlier ? 'earlier' : month
    let group = groups.at(-1)
    if (!group || String(group.age) !== String(age)) {
      group = { age, runs: [] }
      groups.push(group)
    }
    addTo(group.runs, file)
  }
  return groups
}

const startOf = (date: Date, day: number) => new Date(date.getFullYear(), date.getMonth(), day)

function addTo(runs: FilesRun[], file: ChannelFilePayload) {
  const last = runs.at(-1)
  if (!isPicture(file)) runs.push({ file })
  else if (last && 'pictures' in last) last.pictures.push(file)
  else runs.push({ pictures: [file] })
}
