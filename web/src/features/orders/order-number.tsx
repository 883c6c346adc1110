import { Fragment } from 'react'
import { Highlighted } from './highlighted.tsx'

/** May be broken after its hyphens and slashes. */
function breakable(number: string) {
  // A place to break at the end counts as well: what follows may be another piece.
  return number.split(/(?<=[-/_.])/).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text, which never move
    <Fragment key={index}>
      {piece}
      {/[-/_.]$/.test(piece) ? <wbr /> : null}
    </Fragment>
  ))
}

/** An order number that, where it does not fit, is broken after its hyphens and slashes. */
export function OrderNumber({ number }: { number: string }) {
  return (
    <span className="wrap-anywhere">
      <Highlighted text={number} render={breakable} />
    </span>
  )
}
