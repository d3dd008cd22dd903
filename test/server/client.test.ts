import { hc, type InferRequestType, type InferResponseType } from 'hono/client';
import { expect, expectTypeOf, test } from 'vitest';

import type { app } from '../service/generated/app.ts';
import type { Competitor } from '../service/generated/crm/competitor.schema.ts';
import type { Machine } from '../service/generated/assets/machine.schema.ts';
import type { Order } from '../service/generated/sales/order.schema.ts';
import type { OrderLine } from '../service/generated/sales/order-line.schema.ts';
import type { BookingSettings } from '../service/generated/workshop/booking-settings.schema.ts';
import { sharedServer, testKey } from '../support/server.ts';

// `tsc`, a part of `npm run check`, checks the types here (expectTypeOf, @ts-expect-error); a running test checks the rest.

const server = sharedServer();
const connect = () => hc<typeof app>(server.url, { headers: { Authorization: `Bearer ${testKey}` } });

type Api = ReturnType<typeof connect>['api'];
type Competitors = Api['crm']['competitor'];
type Lines = Api['sales']['order-line'];
type Deleted = { id: string; deleted: true };
type InList<Name extends string> = Name | `${Name},${string}`;
type EveryList = {
  limit?: string;
  offset?: string;
  after?: string;
  expand?: string;
  id?: string;
  'id[in]'?: string;
  'id[gt]'?: string;
  'id[gte]'?: string;
  'id[lt]'?: string;
  'id[lte]'?: string;
};
type Flat<T> = { [K in keyof T]: T[K] };
type ListOf<T> = { data: T[]; has_more: boolean; total: number };

test('requests have the types of the spec', () => {
  expectTypeOf<InferRequestType<Competitors['$post']>['json']>().toEqualTypeOf<{
    competitor_name: string;
    website?: string | null;
  }>();
  expectTypeOf<InferRequestType<Competitors[':id']['$patch']>['param']>().toEqualTypeOf<{ id: string }>();
  expectTypeOf<InferRequestType<Competitors[':id']['$patch']>['json']>().toEqualTypeOf<Partial<Competitor>>();
  expectTypeOf<NonNullable<InferRequestType<Competitors['$get']>['query']>>().toEqualTypeOf<
    Flat<
      EveryList & {
        sort?: InList<'id' | '-id' | 'created_at' | '-created_at'>;
        fields?: InList<keyof Competitor>;
        created_at?: string;
        'created_at[in]'?: string;
        'created_at[gt]'?: string;
        'created_at[gte]'?: string;
        'created_at[lt]'?: string;
        'created_at[lte]'?: string;
      }
    >
  >();
  expectTypeOf<InferRequestType<Competitors[':id']['$get']>>().toEqualTypeOf<{ param: { id: string } }>();
  expectTypeOf<InferRequestType<Lines['$post']>['json']>().toEqualTypeOf<{
    order_id: string;
    article: string;
    quantity?: number | null;
    due_on?: string | null;
    idx?: number;
  }>();
  type LinesQuery = InferRequestType<Lines['$get']>['query'];
  expectTypeOf<LinesQuery['parent_id']>().toEqualTypeOf<string>();
  expectTypeOf<LinesQuery['sort']>().toEqualTypeOf<InList<'id' | '-id' | 'due_on' | '-due_on'> | undefined>();
  expectTypeOf<'created_at' extends keyof LinesQuery ? true : false>().toEqualTypeOf<false>();
  expectTypeOf<InferRequestType<Lines['reorder']['$post']>['json']>().toEqualTypeOf<{
    items: { id: string; idx: number }[];
  }>();
  expectTypeOf<InferRequestType<Api['sales']['discount-brand']['$post']>['json']>().toEqualTypeOf<{
    parent_id: string | null;
    parent_type: string;
    brand?: string | null;
    unit?: string | null;
    idx?: number;
  }>();
});

type MachineQuery = NonNullable<InferRequestType<Api['assets']['machine']['$get']>['query']>;
type NameOf<Field extends string> = Extract<keyof MachineQuery, Field | `${Field}[${string}`>;
type Forms<Field extends string, Form extends string> = Field | `${Field}[${Form}]`;
type Ranges = 'gt' | 'gte' | 'lt' | 'lte';

test('filters have the forms and the values of their fields', () => {
  expectTypeOf<NameOf<'serial_number'>>().toEqualTypeOf<
    Forms<'serial_number', 'ne' | 'in' | 'null' | Ranges | 'prefix'>
  >();
  expectTypeOf<NameOf<'condition'>>().toEqualTypeOf<Forms<'condition', 'ne' | 'in' | 'null' | Ranges | 'prefix'>>();
  expectTypeOf<NameOf<'built_on'>>().toEqualTypeOf<Forms<'built_on', 'ne' | 'in' | 'null' | Ranges>>();
  expectTypeOf<NameOf<'serviced_at'>>().toEqualTypeOf<Forms<'serviced_at', 'ne' | 'in' | 'null' | Ranges>>();
  expectTypeOf<NameOf<'hours'>>().toEqualTypeOf<Forms<'hours', 'ne' | 'in' | 'null' | Ranges>>();
  expectTypeOf<NameOf<'is_leased'>>().toEqualTypeOf<Forms<'is_leased', 'ne' | 'in' | 'null'>>();
  expectTypeOf<NameOf<'model'>>().toEqualTypeOf<never>();
  expectTypeOf<'new' | 'retired'>().toExtend<MachineQuery['condition[ne]']>();
  expectTypeOf<NonNullable<MachineQuery['hours[gt]']>>().toEqualTypeOf<`${number}`>();
  expectTypeOf<NonNullable<MachineQuery['hours[in]']>>().toEqualTypeOf<`${number}` | `${number},${string}`>();
  expectTypeOf<NonNullable<MachineQuery['is_leased']>>().toEqualTypeOf<'true' | 'false'>();
  expectTypeOf<NonNullable<MachineQuery['hours[null]']>>().toEqualTypeOf<'true' | 'false'>();
  expectTypeOf<NonNullable<MachineQuery['built_on[gte]']>>().toEqualTypeOf<string>();
  expectTypeOf<NonNullable<MachineQuery['q']>>().toEqualTypeOf<string>();
  expectTypeOf<'q' extends keyof InferRequestType<Lines['$get']>['query'] ? true : false>().toEqualTypeOf<false>();
});

test('answers have the types of the spec', () => {
  expectTypeOf<InferResponseType<Competitors['$post'], 201>>().toEqualTypeOf<Competitor>();
  expectTypeOf<InferResponseType<Competitors[':id']['$get'], 200>>().toEqualTypeOf<Competitor>();
  expectTypeOf<InferResponseType<Competitors[':id']['$patch'], 200>>().toEqualTypeOf<Competitor>();
  expectTypeOf<InferResponseType<Competitors[':id']['$delete'], 200>>().toEqualTypeOf<Deleted>();
  expectTypeOf<InferResponseType<Competitors['$get'], 200>>().toEqualTypeOf<ListOf<Competitor>>();
  expectTypeOf<InferResponseType<Lines['reorder']['$post'], 200>>().toEqualTypeOf<ListOf<OrderLine>>();
  type Submit = Api['sales']['order'][':id']['submit']['$post'];
  expectTypeOf<InferResponseType<Submit, 200>>().toEqualTypeOf<Order>();
  type Settings = Api['workshop']['booking-settings']['$get'];
  expectTypeOf<InferResponseType<Settings, 200>>().toEqualTypeOf<BookingSettings>();
  expectTypeOf<Competitor['website']>().toEqualTypeOf<string | null>();
  expectTypeOf<OrderLine['idx']>().toEqualTypeOf<number>();
  // Filled in by the service alone.
  expectTypeOf<Machine['inspected_by']>().toEqualTypeOf<string | null>();
});

test('the server refuses the same mistakes as the compiler', async () => {
  const { api } = connect();
  const { competitor } = api.crm;
  // @ts-expect-error a required field is missing
  expect((await competitor.$post({ json: {} })).status).toBe(422);
  // @ts-expect-error a value has the wrong type
  expect((await competitor.$post({ json: { competitor_name: 1 } })).status).toBe(422);
  // @ts-expect-error a required field cannot be null
  expect((await competitor.$post({ json: { competitor_name: null } })).status).toBe(422);
  // @ts-expect-error there is no such field
  expect((await competitor.$post({ json: { competitor_name: 'Acme', name: 'Acme' } })).status).toBe(422);
  // @ts-expect-error only the service sets the id
  expect((await competitor.$post({ json: { competitor_name: 'Acme', id: 'x' } })).status).toBe(422);
  // @ts-expect-error a body must be sent
  expect((await competitor.$post()).status).toBe(415);
  // @ts-expect-error the items of which parent?
  expect((await api.sales['order-line'].$get({ query: {} })).status).toBe(400);
  // @ts-expect-error the items of which parent, and there is no query at all
  expect((await api.sales['order-line'].$get()).status).toBe(400);
  // @ts-expect-error there is no such query parameter
  expect((await competitor.$get({ query: { page: '2' } })).status).toBe(400);
  const { machine } = api.assets;
  // @ts-expect-error a list of machines is not filtered by the model
  expect((await machine.$get({ query: { model: 'X-100' } })).status).toBe(400);
  // @ts-expect-error there is no such form of a filter
  expect((await machine.$get({ query: { 'hours[above]': '1' } })).status).toBe(400);
  // @ts-expect-error dates have no prefix
  expect((await machine.$get({ query: { 'built_on[prefix]': '2026' } })).status).toBe(400);
  // Older machines may have a condition that there is no longer.
  expect((await machine.$get({ query: { condition: 'old' } })).status).toBe(200);
  // @ts-expect-error hours are a number
  expect((await machine.$get({ query: { 'hours[gt]': 'many' } })).status).toBe(400);
  // @ts-expect-error a list of machines is not sorted by the region
  expect((await machine.$get({ query: { sort: 'region' } })).status).toBe(400);
  // @ts-expect-error a machine has no such field
  expect((await machine.$get({ query: { fields: 'modle' } })).status).toBe(400);
  // @ts-expect-error a list of competitors is not searched
  expect((await competitor.$get({ query: { q: 'acme' } })).status).toBe(400);
  // @ts-expect-error there is no such resource
  expect((await api.crm.competitors.$get({ query: {} })).status).toBe(404);
  // @ts-expect-error a machine is not deleted
  expect((await api.assets.machine[':id'].$delete({ param: { id: 'x' } })).status).toBe(405);
  // @ts-expect-error a competitor has no states
  expect((await competitor[':id'].submit.$post({ param: { id: 'x' } })).status).toBe(404);
  // @ts-expect-error one line item is not retrieved
  expect((await api.sales['order-line'][':id'].$get({ param: { id: 'x' } })).status).toBe(405);
});
