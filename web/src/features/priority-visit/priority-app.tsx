import { customerPriorityPath } from '@bancone/contract/pages'
import type { PriorityPage } from '@bancone/contract/priority-customer'
import { useState } from 'react'
import { DisplayPage } from './display-page.tsx'
import { FindPage } from './find-page.tsx'
import { PageFrame } from './page-frame.tsx'
import { Refused } from './refused.tsx'
import { keepToken } from './token.ts'
import { VisitPage } from './visit-page.tsx'

/** The page of a link, the page that finds it, or the screen in the room. */
export function PriorityApp({ page }: { page: PriorityPage }) {
  const [found, setFound] = useState<string | null>(null)
  const { kind, pharmacy, refusal } = page
  if (kind === 'display') return <DisplayPage />
  const orderId = found ?? page.orderId
  if (!pharmacy || (orderId === null && refusal !== null)) {
    return (
      <PageFrame pharmacy={pharmacy}>
        <Refused text={refusal ?? 'Si è verificato un errore, riprova più tardi'} />
      </PageFrame>
    )
  }
  return (
    <PageFrame pharmacy={pharmacy}>
      {orderId === null ? (
        <FindPage
          pharmacy={pharmacy}
          onFound={({ orderId: id, token }) => {
            keepToken(token, customerPriorityPath(pharmacy.code, id))
            setFound(id)
          }}
        />
      ) : (
        <VisitPage
          pharmacy={pharmacy}
          orderId={orderId}
          isFound={found !== null}
          drawn={{ status: page.status, refusal: found === null ? refusal : null }}
        />
      )}
    </PageFrame>
  )
}
