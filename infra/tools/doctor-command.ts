import type { Command } from './command.ts'
import { examine } from './doctor/doctor.ts'
import type { Finding } from './doctor/finding.ts'

const MARKS = { good: 'ok     ', warning: 'WARNING', fault: 'FAULT  ', skipped: '-      ' }

const doctor: Command = {
  usage: 'doctor',
  run: async () => {
    const findings = await examine()
    const faults = findings.filter(({ state }) => state === 'fault').length
    const warnings = findings.filter(({ state }) => state === 'warning').length
    const summary = faults + warnings === 0 ? 'All is well.' : `${faults} faults, ${warnings} warnings.`
    return {
      text: [...findings.map(line), summary].join('\n'),
      json: { ok: faults === 0, faults, warnings, findings },
      ...(faults > 0 ? { exitCode: 1 } : {}),
    }
  },
}

const line = ({ part, state, found, next }: Finding) =>
  `${MARKS[state]} ${part}: ${found}${next === undefined ? '' : ` → ${next}`}`

export const doctorCommands: Record<string, Command> = { doctor }
