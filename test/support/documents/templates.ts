/*
 * Handwritten templates in the formats of released versions: 1.2 (bodies are their fields, loops without iterators), 3.2 (request bodies
 * with properties without values), 4.2 (two containers) and 5.0 (one container with a connector for each method).
 */

const OTRS = {
  nodeId: null,
  connectorId: 3,
  title: 'Tickets of the company',
  invoker: { name: 'otrs' },
};
const IDOIT = { nodeId: null, connectorId: 8, title: 'CMDB', invoker: { name: 'i-doit' } };

const file = (templateId: string, name: string, version: string, connection: object): any => ({
  templateId,
  name,
  description: `As ${version} wrote it.`,
  license: 'MIT',
  version,
  link: null,
  connection,
});

/** An answer of the first method that the left side of a condition names. */
const answered = (field: string): object => ({
  color: '#FFCFB5',
  type: 'response',
  field,
  rightPropertyValue: '',
});
const loop12 = (index: string, field: string): object => ({
  index,
  type: 'loop',
  condition: { relationalOperator: '', leftStatement: answered(field), rightStatement: null },
});
const search50 = (id: string, index: string, color: string, title: string): object => ({
  id,
  index,
  name: 'TicketSearch',
  methodType: 'CONNECTOR',
  color,
  connector: { connectorId: null, title, invoker: { name: 'otrs' } },
  request: { endpoint: '{url}', method: 'GET', header: {}, body: null },
  response: null,
});

export const template12 = (): any =>
  file('11111111-1111-4111-8111-111111111111', 'Tickets to assets (1.2)', '1.2', {
    title: 'Tickets to assets',
    description: 'From 1.2.',
    fromConnector: {
      ...OTRS,
      methods: [
        {
          index: '0',
          name: 'TicketSearch',
          color: '#FFCFB5',
          request: {
            endpoint: '{url}/TicketSearch',
            method: 'POST',
            header: { 'Content-Type': 'application/json' },
            body: { Queue: 'Raw', StateType: '' },
          },
          response: {
            name: 'response',
            success: {
              status: '200',
              header: null,
              body: { tickets: [{ id: '', articles: [{ id: '' }] }] },
            },
            fail: { status: '400', header: null, body: null },
          },
        },
        {
          index: '1_0',
          name: 'TicketGet',
          color: '#C77E7E',
          request: {
            endpoint: '{url}/Ticket/{%#FFCFB5.(response).success.tickets[].id%}',
            method: 'GET',
            header: null,
            body: null,
          },
          response: null,
        },
        {
          index: '1_1_0',
          name: 'ArticleGet',
          color: '#98BEC7',
          request: {
            endpoint: '{url}/Article',
            method: 'POST',
            header: null,
            body: { id: '#FFCFB5.(response).success.tickets[].articles[].id' },
          },
          response: null,
        },
      ],
      operators: [loop12('1', 'success.tickets'), loop12('1_1', 'success.tickets[].articles')],
    },
    toConnector: {
      ...IDOIT,
      methods: [
        {
          index: '0',
          name: 'cmdb.object.create',
          color: '#7EC77E',
          request: {
            endpoint: '{url}',
            method: 'POST',
            header: null,
            body: { title: '#FFCFB5.(response).success.tickets[0].id' },
          },
          response: null,
        },
      ],
      operators: [],
    },
    fieldBinding: [
      {
        from: [{ color: '#FFCFB5', type: 'response', field: 'success.tickets[].articles[].id' }],
        to: [{ color: '#98BEC7', type: 'request', field: 'id' }],
        enhancement: {
          name: 'same',
          description: '',
          expertVar:
            '//var RESULT_VAR = #98BEC7.(request).id;\n//var VAR_0 = #FFCFB5.(response).success.tickets[].articles[].id;',
          expertCode: 'RESULT_VAR = VAR_0;',
          simpleCode: null,
        },
      },
    ],
  });

export const template32 = (): any =>
  file('32323232-3232-4232-8232-323232323232', 'Properties without a value (3.2)', '3.2', {
    title: 'Properties without a value',
    fromConnector: {
      ...OTRS,
      methods: [
        {
          index: '0',
          name: 'TicketCreate',
          color: '#FFCFB5',
          request: {
            endpoint: '{url}/Ticket',
            method: 'POST',
            header: {},
            body: {
              type: 'object',
              format: 'json',
              data: 'raw',
              fields: {
                Ticket: {
                  Title: 'A',
                  Queue: '',
                  Owner: null,
                  Service: {},
                  Tags: [],
                  Zero: 0,
                  Off: false,
                  Items: ['', { a: '' }],
                },
              },
            },
          },
          response: null,
        },
      ],
      operators: [],
    },
    toConnector: { ...IDOIT, methods: [], operators: [] },
    fieldBinding: [],
  });

export const template42 = (): any =>
  file('42424242-4242-4242-8242-424242424242', 'Tickets to assets (4.2)', '4.2', {
    nodeId: null,
    connectionId: null,
    title: 'Tickets to assets',
    description: 'From 4.2.',
    fromConnector: {
      ...OTRS,
      methods: [
        {
          nodeId: '6512bd43d9caa6e02c990b0a',
          index: '0',
          name: 'TicketSearch',
          color: '#FFCFB5',
          label: 'Search',
          dataAggregator: null,
          request: {
            id: null,
            endpoint: '{url}/TicketSearch?other={#8.url}',
            method: 'POST',
            header: { 'Content-Type': 'application/json', 'X-Vendor-Mode': 'batch' },
            body: {
              type: 'object',
              format: 'json',
              data: 'raw',
              fields: { Queue: 'Raw', State: '' },
            },
          },
          response: {
            id: null,
            name: 'response',
            success: { id: null, status: '200', header: null, body: null },
            fail: { id: null, status: '400', header: null, body: null },
          },
        },
      ],
      operators: [
        {
          nodeId: null,
          index: '1',
          type: 'if',
          iterator: null,
          condition: {
            relationalOperator: '=',
            leftStatement: answered('success.state.id'),
            rightStatement: { color: '', type: '', field: '4', rightPropertyValue: '' },
          },
        },
      ],
    },
    toConnector: {
      ...IDOIT,
      methods: [
        {
          nodeId: null,
          index: '0',
          name: 'cmdb.object.create',
          color: '#7EC77E',
          label: null,
          dataAggregator: null,
          request: { endpoint: '{url}', method: 'POST', header: null, body: null },
          response: null,
        },
      ],
      operators: [],
    },
    fieldBinding: [
      {
        from: [{ color: '#FFCFB5', type: 'response', field: 'success.state.id' }],
        to: [{ color: '#7EC77E', type: 'request', field: 'state' }],
        enhancement: null,
      },
    ],
  });

export const template50 = (): any =>
  file('50505050-5050-4050-8050-505050505050', 'Tickets to assets (5.0)', '5.0', {
    title: 'Tickets to assets',
    description: null,
    fromConnector: {
      connectorId: -1,
      title: 'DEFAULT',
      methods: [
        search50('m1', '0', '#FFCFB5', 'Tickets of the company'),
        search50('m2', '1', '#7EC77E', 'Tickets of the branch'),
        {
          id: 'm3',
          index: '2',
          name: 'Call',
          methodType: 'HTTP_REQUEST',
          color: '#C77E7E',
          connector: null,
          request: {
            endpoint: 'http://127.0.0.1:9/{%secret.TOKEN%}',
            method: 'GET',
            header: { Authorization: 'Bearer {%secret.TOKEN%}' },
            body: null,
          },
          response: null,
        },
      ],
      operators: [{ id: 'o1', index: '3', type: 'if', expression: '1 = 1' }],
    },
    toConnector: null,
    fieldBinding: [],
    ui: { viewport: { x: 1 }, flowcharts: [] },
  });

export const EVERY_VERSION = [template12, template32, template42, template50];
