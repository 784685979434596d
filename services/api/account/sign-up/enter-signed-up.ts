import type { Request, Response } from 'express'
import type { Config } from '#shared/runtime/config.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { enterNewAccount } from '../sign-in/enter.ts'
import { candidatesFor } from './free-names.ts'
import { type NewPerson, type SignUpOutcome, signUp } from './sign-up.ts'

/** Creates the account and begins its session; a repeated request begins one in the account that exists. */
export async function enterSignedUp(
  stores: Stores,
  config: Config,
  req: Request,
  res: Response,
  person: NewPerson,
): Promise<SignUpOutcome> {
  const made = await signUp(stores, config, person)
  if (made === 'active') await beginSession(stores, req, person.username)
  const isRepeated = made === 'taken' || made === 'bad invitation'
  return (isRepeated && (await enterNewAccount(stores, config, req, res, person))) || made
}

/** As `enterSignedUp`; the username was made from the name and gets a number if it is taken (interface 10.13). */
export async function enterByName(
  stores: Stores,
  config: Config,
  req: Request,
  res: Response,
  person: NewPerson,
): Promise<SignUpOutcome> {
  for (const { username, isMade } of await candidatesFor(stores.db, person.username, person.clientId)) {
    const one = { ...person, username }
    if (isMade) {
      const outcome = await enterNewAccount(stores, config, req, res, one)
      if (outcome !== undefined) return outcome
    } else {
      const outcome = await signUp(stores, config, one)
      if (outcome === 'active') await beginSession(stores, req, username)
      if (outcome !== 'taken') return outcome
    }
  }
  return 'taken'
}
