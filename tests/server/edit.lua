-- Opens a file in Neovim with its own LSP client, applies what is preferred, and saves: see test_neovim.py.
local file, folder, report = vim.env.FILE, vim.env.FOLDER, vim.env.REPORT
local patience = 60000

local function messages()
  return vim.tbl_map(function(each) return each.code end, vim.diagnostic.get(0))
end

local ok, problem = pcall(function()
  vim.cmd("edit " .. vim.fn.fnameescape(file))
  local client = vim.lsp.start_client({
    name = "fsagent-lint",
    cmd = vim.split(vim.env.SERVER, "\n"),
    root_dir = folder,
  })
  vim.lsp.buf_attach_client(0, client)
  assert(vim.wait(patience, function() return #vim.diagnostic.get(0) > 0 end, 50), "no diagnostics")
  local seen = messages()
  local params = vim.lsp.util.make_range_params()
  params.range["end"] = { line = vim.fn.line("$"), character = 0 }
  params.range.start = { line = 0, character = 0 }
  params.context = { diagnostics = {} }
  local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, patience)
  for _, action in ipairs(answers[client].result) do
    if action.isPreferred then
      vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(client).offset_encoding)
    end
  end
  vim.cmd("write")
  assert(vim.wait(patience, function() return #vim.diagnostic.get(0) == 0 end, 50), "diagnostics stay")
  local lenses = vim.lsp.buf_request_sync(
    0, "textDocument/codeLens", { textDocument = vim.lsp.util.make_text_document_params() }, patience
  )
  local found = { seen = seen, lens = lenses[client].result[1].command.title }
  vim.fn.writefile({ vim.fn.json_encode(found) }, report)
end)
if not ok then
  vim.fn.writefile({ vim.fn.json_encode({ problem = tostring(problem) }) }, report)
end
vim.cmd("qall!")
