export type RegisteredPack = {
  code: string
  name: string
  pack: string
  /** As in the column FORNITURA. */
  supply: string
  /** As in the column STATO_AMMINISTRATIVO; `Autorizzata` by default. */
  state?: string
}

const PRESCRIPTION = 'medicinali soggetti a prescrizione medica'
const COUNTER = 'medicinali non soggetti a prescrizione medica, da banco'
const NO_PRESCRIPTION = 'medicinali non soggetti a prescrizione medica ma non da banco'

/** Packs of the sandbox. Those from Deursil to Pentasa are real; the others have names and codes of `products.ts`. */
export const registeredPacks: readonly RegisteredPack[] = [
  {
    code: '023605114',
    name: 'DEURSIL',
    pack: '300 mg capsule rigide 20 capsule',
    supply: PRESCRIPTION,
  },
  {
    code: '024173080',
    name: 'URSILON',
    pack: '300 mg capsule 20 capsule',
    supply: PRESCRIPTION,
  },
  {
    code: '024444123',
    name: 'URSOBIL',
    pack: '300 mg compresse 20 compresse',
    supply: PRESCRIPTION,
  },
  {
    code: '025430101',
    name: 'URSOLISIN',
    pack: '300 mg capsule 20 capsule',
    supply: PRESCRIPTION,
  },
  {
    code: '026073027',
    name: 'URSOFLOR',
    pack: '300 mg capsule 20 capsule',
    supply: PRESCRIPTION,
  },
  {
    code: '026893040',
    name: 'URDES',
    pack: '300 mg compresse 20 compresse',
    supply: PRESCRIPTION,
  },
  {
    code: '028404010',
    name: 'LITOFF',
    pack: '300 mg compresse 20 compresse',
    supply: PRESCRIPTION,
  },
  {
    code: '029480050',
    name: 'MESALAZINA EG',
    pack: '800 mg compresse gastroresistenti 24 compresse',
    supply: PRESCRIPTION,
  },
  {
    code: '034254021',
    name: 'ARGONAL',
    pack: '800 mg compresse gastroresistenti 24 compresse',
    supply: PRESCRIPTION,
  },
  {
    code: '026416255',
    name: 'ASACOL',
    pack: '400 mg capsule a rilascio modificato 50 capsule',
    supply: PRESCRIPTION,
  },
  {
    code: '026925065',
    name: 'PENTACOL',
    pack: '500 mg/5 g gel rettale 20 tubi monodose',
    supply: PRESCRIPTION,
  },
  {
    code: '035386059',
    name: 'MESALAZINA DOC',
    pack: '500 mg supposte 20 supposte',
    supply: PRESCRIPTION,
  },
  {
    code: '027308016',
    name: 'CLAVERSAL',
    pack: '500 mg compresse rivestite 50 compresse',
    supply: PRESCRIPTION,
  },
  {
    code: '033081011',
    name: 'MESAFLOR',
    pack: '500 mg compresse rivestite 50 compresse',
    supply: PRESCRIPTION,
  },
  {
    code: '034836015',
    name: 'MESALAZINA SANDOZ',
    pack: '500 mg compresse rivestite blister 50 compresse',
    supply: PRESCRIPTION,
  },
  {
    code: '027130069',
    name: 'PENTASA',
    pack: '1 g supposte 28 supposte',
    supply: PRESCRIPTION,
  },
  {
    code: '012745093',
    name: 'TACHIPIRINA',
    pack: '500 mg compresse 20 compresse',
    supply: COUNTER,
  },
  {
    code: '013046038',
    name: 'ENTEROGERMINA',
    pack: '2 miliardi/5 ml sospensione orale 10 flaconcini',
    supply: COUNTER,
  },
  {
    code: '004763037',
    name: 'ASPIRINA',
    pack: '500 mg compresse 20 compresse',
    supply: COUNTER,
  },
  {
    code: '034548014',
    name: 'VOLTAREN',
    pack: '1% gel tubo da 60 g',
    supply: NO_PRESCRIPTION,
  },
  {
    code: '044155024',
    name: 'SCIROPPO DI PROVA',
    pack: 'flacone da 150 ml',
    supply: COUNTER,
    state: 'Revocata',
  },
]
