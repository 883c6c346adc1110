import type { PriorityPharmacy } from '@bancone/contract/priority-customer'
import { DigitsForm, type Unlocked } from './digits-form.tsx'
import { CallLink } from './page-frame.tsx'
import { Steps } from './steps.tsx'
import { card } from './styles.ts'

type FindPageProps = { pharmacy: PriorityPharmacy; onFound: (found: Unlocked) => void }

/** Finds the session of a customer who has no link at hand: the poster at the entrance leads here. */
export function FindPage({ pharmacy, onFound }: FindPageProps) {
  return (
    <>
      <section className={card}>
        <h1 className="text-2xl font-medium tracking-tight">Accesso prioritario</h1>
        <p className="mt-1 text-pretty text-muted">
          Per un ordine da ritirare servono il suo numero e le ultime quattro cifre del telefono.
        </p>
        <DigitsForm pharmacyCode={pharmacy.code} onUnlocked={onFound} />
        <WithoutScript pharmacy={pharmacy} />
      </section>
      <Steps />
    </>
  )
}

/** Only where there is no JavaScript: what to do instead. */
export function WithoutScript({ pharmacy }: { pharmacy: PriorityPharmacy }) {
  return (
    <div className="without-script mt-4">
      <p>
        Su questo telefono la pagina non può avvisare la farmacia, perché JavaScript è spento.
        Chiamare la farmacia o presentarsi al banco.
      </p>
      <p className="mt-3">
        <CallLink pharmacy={pharmacy} />
      </p>
    </div>
  )
}
