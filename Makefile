# The same as `sh run NAME`, where all of it is; arguments go there: `sh run test -k odds`.
.DEFAULT_GOAL := help
.PHONY: up test test-long check fix openapi playthroughs vectors problems released bench lock help

up: ## start everything on this machine; settings are environment variables
	@sh run up

test: ## run the tests
	@sh run test

test-long: ## run the long tests: every option and seat count
	@sh run test-long

check: ## linters, formatting, types, import contracts
	@sh run check

fix: ## mend what linters and formatting can mend by themselves
	@sh run fix

openapi: ## write openapi/ anew from the code, its examples from calls
	@sh run openapi

problems: ## record the examples of the pages /problems/<code> anew
	@sh run problems

released: ## keep the documents of this version as promised; part of a release
	@sh run released

playthroughs: ## record the playthroughs anew; read the difference before you keep it
	@sh run playthroughs

vectors: ## write openapi/examples/vectors anew from the code
	@sh run vectors

bench: ## measure, against floors of the same run
	@sh run bench

lock: ## write requirements.lock anew from the newest releases that pyproject.toml allows
	@sh run lock

help: ## this list
	@sh run help
