import { StartupError } from '../../startup-error.ts'
import { withOwner } from '../backups/database-facts.ts'
import { withoutTriggers } from './catalogue.ts'
import { open } from './moving-pharmacy.ts'
import type { MoveState, PharmacyMove } from './pharmacy-move.ts'

/**
 * Leaves everything as it was before a move that has failed, over connections of its own: those of the move may be broken.
 *
 * @throws always: `error`, or a StartupError that says besides what could not be undone
 */
export async function undoMove(
  move: PharmacyMove,
  { isClosed, wasActive }: MoveState,
  error: unknown,
): Promise<never> {
  const { code, id } = move.pharmacy
  const removed = await removeCopies(move).catch(() => 'unknown' as const)
  if (removed === 'is_there') {
    throw new StartupError(
      `The pharmacy ${code} is in the other database, although an error followed: ${messageOf(error)} ` +
        'It is inactive here.',
      { cause: error },
    )
  }
  if (removed === 'unknown' && isClosed) {
    throw new StartupError(
      `The other database cannot be reached, and may have the pharmacy ${code} or not (${messageOf(error)}) It is ` +
        'inactive here. Look there; if it is not there, run the command again.',
      { cause: error },
    )
  }
  const isOpen =
    !isClosed ||
    (await withOwner(move.from, (client) => open(client, id, wasActive)).then(
      () => true,
      () => false,
    ))
  if (removed === 'removed') await move.removeFiles()
  const left = [
    ...(isOpen
      ? []
      : [`The pharmacy ${code} stays inactive here: run the command again, or activate it.`]),
    ...(removed === 'removed'
      ? []
      : ['Rows that were copied could not be removed there: run the command again.']),
  ]
  if (left.length === 0) throw error
  throw new StartupError([messageOf(error), ...left].join(' '), { cause: error })
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Removes what was copied ahead, unless the pharmacy is there. */
function removeCopies({ to, tables, pharmacy }: PharmacyMove): Promise<'removed' | 'is_there'> {
  return withOwner(to, async (target) => {
    await target.query('begin')
    await withoutTriggers(target)
    const { rowCount } = await target.query('select from pharmacies where id = $1', [pharmacy.id])
    if (rowCount !== 0) return 'is_there'
    for (const { name, where } of tables.filter(({ isAhead }) => isAhead)) {
      await target.query(`delete from ${target.escapeIdentifier(name)} where ${where}`)
    }
    await target.query('commit')
    return 'removed'
  })
}
