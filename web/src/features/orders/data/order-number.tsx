import { Fragment } from 'react'
import { Highlighted } from './highlighted.tsx'

/** Allows line breaks after hyphens and slashes. */
function breakable(number: string) {
  // Also at the end, since another part may follow.
  return number.split(/(?<=[-/_.])/).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text, which never move
    <Fragment key={index}>
      {piece}
      {/[-/_.]$/.test(piece) ? <wbr /> : null}
    </Fragment>
  ))
}

/** An order number, which may break after hyphens and slashes. */
export function OrderNumber({ number }: { number: string }) {
  return (
    <span className="wrap-anywhere">
      <Highlighted text={number} render={breakable} />
    </span>
  )
}
