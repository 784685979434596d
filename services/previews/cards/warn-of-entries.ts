import { type AllowSetting, faultsOfEntries } from '#shared/runtime/allow-list.ts'
import { log } from '#shared/runtime/log.ts'
import type { SettingsFile } from '#shared/runtime/settings.ts'
import { inWords } from '#shared/runtime/variables.ts'

/** Tells the operator of malformed entries, which open nothing: now, and at each change. */
export function warnOfEntries(name: AllowSetting, settings: SettingsFile) {
  const warn = () => {
    const faults = faultsOfEntries(name, settings.current).map(inWords)
    if (faults.length > 0) log.warn({ faults }, `${name} not usable`)
  }
  warn()
  settings.onChange(warn)
}
