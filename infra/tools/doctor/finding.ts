/** The state of a part of the installation. */
export interface Finding {
  part: string
  /** `warning`: bothy runs, but a loss or an outage comes nearer. */
  state: 'good' | 'warning' | 'fault' | 'skipped'
  found: string
  /** The next step; warnings and faults have one. */
  next?: string
}

export const good = (part: string, found: string): Finding => ({ part, state: 'good', found })
export const warning = (part: string, found: string, next: string): Finding => ({
  part,
  state: 'warning',
  found,
  next,
})
export const fault = (part: string, found: string, next: string): Finding => ({
  part,
  state: 'fault',
  found,
  next,
})
export const skipped = (part: string, found: string): Finding => ({ part, state: 'skipped', found })

/** The first line of an error, which may have others with values. */
export const reasonOf = (err: unknown): string => {
  const { message, code } = err as NodeJS.ErrnoException
  return (message || code || String(err)).split('\n', 1)[0]!
}
