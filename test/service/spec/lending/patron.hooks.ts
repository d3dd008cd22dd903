import type { PatronHooks } from '../../generated/lending/patron.schema.ts';

const desk = process.env['LENDING_DESK'];

/** Tells the desk of a person who is gone, and then keeps the place for another one. */
export const afterDelete: PatronHooks['afterDelete'] | undefined =
  desk === undefined
    ? undefined
    : async ({ event: { number, operation, record }, create }) => {
        const response = await fetch(desk, {
          method: 'POST',
          body: JSON.stringify({ data: { number, operation, record } }),
        });
        if (!response.ok) throw new Error(`The desk does not take event ${number}.`);
        await create('lending/patron', { name: 'Vacant' });
      };
