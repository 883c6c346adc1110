import {
  type CountingPage,
  ORDER_CODE_DAYS,
  VIEW_DEDUPLICATION_SECONDS,
  VISIT_MINUTES,
} from '@bancone/contract/page-views'
import { privacyPath, publicOffersPath } from '@bancone/contract/pages'
import type { ReactNode } from 'react'

const link = 'inline-flex min-h-12 items-center underline underline-offset-4 hover:text-ink'

/** Says what is counted of the page views of a pharmacy's page, as it is configured. */
export function Counting({ page }: { page: CountingPage }) {
  const { pharmacyName, pharmacyCode, isCounting } = page
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-2xl flex-col px-4 py-6 md:px-6 md:py-10">
      <main className="flex flex-1 flex-col gap-6">
        <div>
          <a href={publicOffersPath(pharmacyCode)} className={`${link} text-accent`}>
            Torna alle offerte
          </a>
          <h1 className="mt-2 text-2xl leading-tight font-medium tracking-tight md:text-3xl">
            Che cosa contiamo
          </h1>
          <p className="mt-1 text-muted">Sulla pagina delle offerte di {pharmacyName}</p>
        </div>
        {isCounting ? (
          <Counted page={page} />
        ) : (
          <p>
            Niente: {pharmacyName} ha scelto di non contare le visite di questa pagina, e non ne
            registriamo nessuna.
          </p>
        )}
      </main>
      <footer className="mt-8 flex flex-wrap items-center justify-between gap-x-6 text-sm text-muted">
        <p>Powered by Bancone</p>
        <a href={privacyPath(pharmacyCode)} className={link}>
          Privacy
        </a>
      </footer>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="text-lg font-medium">{title}</h2>
      <div className="mt-1 flex flex-col gap-2 [&_ul]:list-disc [&_ul]:space-y-1 [&_ul]:pl-5">
        {children}
      </div>
    </section>
  )
}

function Counted({ page }: { page: CountingPage }) {
  const { pharmacyName, pageViewDays, limit } = page
  return (
    <>
      <Part title="Perché">
        <p>
          {pharmacyName} vuole sapere quante persone guardano le offerte e quali interessano di più.
          Per questo bastano dei numeri: non serve sapere chi sei.
        </p>
      </Part>
      <Part title="Che cosa registriamo">
        <ul>
          <li>
            quando si apre la pagina, al massimo una volta ogni {VIEW_DEDUPLICATION_SECONDS}{' '}
            secondi;
          </li>
          <li>quali offerte restano sullo schermo per almeno un secondo e quali vengono aperte;</li>
          <li>quando si tocca «Ordina via WhatsApp», «Prenota via WhatsApp» o «Chiama»;</li>
          <li>
            da dove si arriva: il nome del sito o dell’app, oppure se il link era su un volantino,
            su una locandina o condiviso;
          </li>
          <li>
            se si usa un telefono, un tablet o un computer, con quale browser e quale sistema.
          </li>
        </ul>
      </Part>
      <Part title="Che cosa non facciamo">
        <ul>
          <li>Per contare non usiamo cookie e non salviamo nulla nel browser.</li>
          <li>Non conserviamo gli indirizzi IP.</li>
          <li>Non seguiamo nessuno da un giorno all’altro, né da una farmacia all’altra.</li>
          <li>Non colleghiamo le visite a un nome, a un numero di telefono o a un ordine.</li>
          <li>Non diamo questi dati a nessun altro.</li>
        </ul>
      </Part>
      <Part title="Come distinguiamo i visitatori">
        <p>
          Accorciamo l’indirizzo IP in modo che indichi solo una rete, lo uniamo al tipo di browser
          e ne calcoliamo un codice con una chiave casuale che cambia ogni giorno. La chiave di un
          giorno viene eliminata alle 00:30 del giorno dopo: da quel momento nessuno può più
          risalire dal codice a una persona, nemmeno noi. Una visita finisce dopo {VISIT_MINUTES}{' '}
          minuti senza aperture della pagina.
        </p>
      </Part>
      <Part title="Per quanto tempo">
        <p>
          Le singole visite si eliminano dopo {pageViewDays} giorni. Restano soltanto le somme per
          ora e per giorno.
        </p>
        {page.hasOrderCodes ? (
          <p>
            Il messaggio di WhatsApp con l’ordine finisce con un breve codice, per esempio «Codice:
            ABC234»: dice alla farmacia da quali offerte è nato l’ordine. Non è collegato alla
            visita, si può cancellare dal messaggio e si elimina dopo {ORDER_CODE_DAYS} giorni.
          </p>
        ) : null}
      </Part>
      <Part title="Chi non contiamo">
        <p>
          Chi ha attivato «Do Not Track» o «Global Privacy Control» nel browser, chi lavora in
          farmacia, i motori di ricerca e gli altri programmi, le anteprime dei link e le pagine
          caricate in anticipo. Di una stessa rete non contiamo più di {limit.events} azioni in{' '}
          {limit.minutes} minuti, e in un giorno non vi distinguiamo più di {limit.visitors}{' '}
          visitatori. Di tutti questi teniamo soltanto il numero.
        </p>
      </Part>
    </>
  )
}
