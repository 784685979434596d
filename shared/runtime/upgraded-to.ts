import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from './whole-file.ts'

/** The release to which `npm run admin -- upgrade` went, while the clone is still that of the former one. */
interface UpgradedTo {
  /** A folder of its own, or of .data, from which the clone takes it by `commit`. */
  root: string
  commit?: string | undefined
}

const fileIn = (data: string) => join(data, 'upgraded-to')

/** Remembers it for the reminder of the next `npm start` and of `doctor`. */
export function noteUpgrade(data: string, to: UpgradedTo): void {
  writeWhole(fileIn(data), JSON.stringify(to))
}

/** The last step of an upgrade, without which the next `npm start` is that of the former release. */
export const checkoutSentence = ({ root, commit }: UpgradedTo, data: string): string =>
  commit === undefined
    ? `From now on run npm start in ${root}, with BOTHY_DATA=${data}.`
    : `Now, before the next npm start: git checkout ${commit}`

/** That sentence while it is still true of the clone `root`; undefined when it is done. */
export function upgradeReminder(data: string, root: string): string | undefined {
  let to: UpgradedTo
  try {
    to = JSON.parse(readFileSync(fileIn(data), 'utf8'))
  } catch {
    return undefined
  }
  if (root !== to.root && !hasCommit(root, to.commit)) return checkoutSentence(to, data)
  rmSync(fileIn(data), { force: true })
  return undefined
}

/** Whether the clone is at that commit or a later one. */
function hasCommit(root: string, commit: string | undefined): boolean {
  if (commit === undefined) return false
  try {
    execFileSync('git', ['merge-base', '--is-ancestor', commit, 'HEAD'], { cwd: root, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
