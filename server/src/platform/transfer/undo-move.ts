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
  { phase, wasActive }: MoveState,
  error: unknown,
): Promise<never> {
  const { code, id } = move.pharmacy
  const removed = await removeCopies(move).catch(() => 'unknown' as const)
  // Another command has brought it there, an import for example: what is there is not of this move.
  if (removed === 'is_there' && phase === 'ahead') throw error
  if (removed === 'is_there') {
    // It was not done when the connection broke at the commit, and has failed when the pharmacy had moved.
    const isRecorded = await move.departed({ rows: 0 }).then(
      () => true,
      () => false,
    )
    throw new StartupError(
      `The pharmacy ${code} has moved, and is inactive here. An error followed: ${messageOf(error)}` +
        (isRecorded ? '' : ' Its links may not lead there yet.'),
      { cause: error },
    )
  }
  if (removed === 'unknown' && phase !== 'ahead') {
    throw new StartupError(
      `The other database cannot be reached, and may have the pharmacy ${code} or not (${messageOf(error)}). It is ` +
        'inactive here. Look there; if it is not there, run the command again.',
      { cause: error },
    )
  }
  const isOpen =
    phase === 'ahead' ||
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
