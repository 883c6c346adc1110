import { Fragment } from 'react'

/** An order number that, where it does not fit, is broken after its hyphens and slashes. */
export function OrderNumber({ number }: { number: string }) {
  const pieces = number.split(/(?<=[-/_.])/)
  return (
    <span className="wrap-anywhere">
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text, which never move
        <Fragment key={index}>
          {index > 0 ? <wbr /> : null}
          {piece}
        </Fragment>
      ))}
    </span>
  )
}
