import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, statSync } from 'node:fs'
import { fail } from '../processes/fail.ts'

/** The account of the stores, if it is not that of this process. */
export interface Account {
  uid: number
  gid: number
}

/**
 * If root starts us, the stores run under an unprivileged account: PostgreSQL refuses root, and Redis does not need it.
 */
export function storeAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  return (
    accountNamed('postgres') ?? accountNamed('nobody') ?? fail('root has no account to run PostgreSQL as')
  )
}

function accountNamed(name: string): Account | undefined {
  const [uid, gid] = ['-u', '-g'].map(flag =>
    spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout.trim(),
  )
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

/** The owner of existing data stays the owner, also if a preferred account has been created since. */
export function ownerOf(folder: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = statSync(folder)
  return uid === 0 ? storeAccount() : { uid, gid }
}

/** Whether the account can traverse all parents of a folder and read it. */
export function canReach(folder: string, { uid, gid }: Account): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$0" && test -r .', folder], { uid, gid, cwd: '/' }).status === 0
}

/** Creates a folder that only the given account can read. */
export function privateFolder(path: string, account: Account | undefined): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (account) chownSync(path, account.uid, account.gid)
  return path
}
